"""Errors as Google's servers return them."""

from app.sandbox.google_api.json_values import JsonObject

STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ABORTED",
    412: "FAILED_PRECONDITION",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
}


class ApiError(Exception):
    """An error answer: HTTP code, message, Google's `reason` and `domain`, optional `details`."""

    def __init__(
        self,
        code: int,
        message: str,
        reason: str,
        *,
        domain: str = "global",
        status: str | None = None,
        location: tuple[str, str] | None = None,
        details: list[JsonObject] | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.reason, self.domain = code, message, reason, domain
        self.status = status or STATUS_NAMES.get(code, "UNKNOWN")
        self.location, self.details, self.retry_after_s = location, details, retry_after_s

    def body(self, *, with_status: bool = True) -> JsonObject:
        """JSON of the error; Calendar v3 omits `status` and `details`."""
        entry: JsonObject = {"message": self.message, "domain": self.domain, "reason": self.reason}
        if self.location is not None:
            entry["location"], entry["locationType"] = self.location
        error: JsonObject = {"code": self.code, "message": self.message, "errors": [entry]}
        if with_status:
            error["status"] = self.status
            if self.details:
                error["details"] = self.details
        return {"error": error}


def not_found() -> ApiError:
    """404 as Gmail answers for an unknown id."""
    return ApiError(404, "Requested entity was not found.", "notFound")


def invalid_argument(message: str) -> ApiError:
    """400 with Gmail's reason for an invalid value."""
    return ApiError(400, message, "invalidArgument")


def unauthenticated() -> ApiError:
    """401 for a missing, unknown or expired access token."""
    return ApiError(
        401,
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
        "authentication credential.",
        "authError",
        location=("Authorization", "header"),
    )


def insufficient_scopes(method_id: str) -> ApiError:
    """403 for a token whose scopes do not allow the method."""
    return ApiError(
        403,
        "Request had insufficient authentication scopes.",
        "insufficientPermissions",
        details=[
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
                "domain": "googleapis.com",
                "metadata": {"method": method_id},
            }
        ],
    )


def api_off() -> ApiError:
    """403 while the API is disabled in the project of the OAuth client."""
    return ApiError(
        403,
        "Gmail API has not been used in project 1234567890 before or it is disabled. Enable it by visiting "
        "https://console.developers.google.com/apis/api/gmail.googleapis.com/overview?project=1234567890 then retry. If you "
        "enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.",
        "accessNotConfigured",
        domain="usageLimits",
        details=[
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "SERVICE_DISABLED",
                "domain": "googleapis.com",
                "metadata": {"consumer": "projects/1234567890", "service": "gmail.googleapis.com"},
            }
        ],
    )


def rate_limited(code: int = 403, reason: str = "rateLimitExceeded", retry_after_s: int | None = None) -> ApiError:
    """403 or 429 for an exceeded quota."""
    message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'."
    if reason == "userRateLimitExceeded":
        message = "User Rate Limit Exceeded"
    return ApiError(code, message, reason, domain="usageLimits", retry_after_s=retry_after_s)


def too_many_concurrent() -> ApiError:
    """429 for too many concurrent requests of one user."""
    return ApiError(429, "Too many concurrent requests for user.", "rateLimitExceeded", domain="usageLimits")


def unknown_field(name: str, where: str) -> ApiError:
    """400 for an unknown JSON field; `where` is the path of the surrounding object."""
    place = f" at '{where}'" if where else ""
    text = f'Invalid JSON payload received. Unknown name "{name}"{place}: Cannot find field.'
    return _bad_field(text, where)


def unknown_parameter(name: str) -> ApiError:
    """400 for an unknown query parameter."""
    text = (
        f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter. '
        f"Field '{name}' could not be found in request message."
    )
    return _bad_field(text, "")


def invalid_value(where: str, kind: str, value: object) -> ApiError:
    """400 for a value of the wrong JSON type."""
    return _bad_field(f"Invalid value at '{where}' ({kind}), {str(value)[:80]!r}", where)


def _bad_field(text: str, field: str) -> ApiError:
    violation: JsonObject = {"description": text}
    if field:
        violation["field"] = field
    details: JsonObject = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}
    return ApiError(400, text, "invalid", details=[details])
