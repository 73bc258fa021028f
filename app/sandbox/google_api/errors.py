"""Errors as Google's servers return them."""

from app.sandbox.google_api.json_values import JsonObject

STATUS_NAMES = {
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 409: "ABORTED",
    412: "FAILED_PRECONDITION", 413: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 502: "UNAVAILABLE",
    503: "UNAVAILABLE",
}  # fmt: skip


class ApiError(Exception):
    """An error answer: HTTP code, message, Google's `reason` and `domain`, optional `details`.

    Its seven parameters are the fields of Google's error JSON.
    """

    def __init__(
        self,
        code: int,
        message: str,
        reason: str,
        *,
        domain: str = "global",
        location: tuple[str, str] | None = None,
        details: JsonObject | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.reason, self.domain = code, message, reason, domain
        self.location, self.details, self.retry_after_s = location, details, retry_after_s

    def body(self, *, with_status: bool = True) -> JsonObject:
        """JSON of the error; Calendar v3 omits `status` and `details`."""
        entry: JsonObject = {"message": self.message, "domain": self.domain, "reason": self.reason}
        if self.location is not None:
            entry["location"], entry["locationType"] = self.location
        error: JsonObject = {"code": self.code, "message": self.message, "errors": [entry]}
        if with_status:
            error["status"] = STATUS_NAMES.get(self.code, "UNKNOWN")
            if self.details:
                error["details"] = [self.details]
        return {"error": error}


def not_found() -> ApiError:
    """404 as Gmail answers for an unknown id."""
    return ApiError(404, "Requested entity was not found.", "notFound")


def invalid_argument(message: str) -> ApiError:
    """400 with Gmail's reason for an invalid value."""
    return ApiError(400, message, "invalidArgument")


def unauthenticated() -> ApiError:
    """401 for a missing, unknown or expired access token."""
    text = (
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
        "authentication credential."
    )
    return ApiError(401, text, "authError", location=("Authorization", "header"))


def _error_info(reason: str, domain: str, **metadata: str) -> JsonObject:
    return {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": domain, "metadata": metadata}


def insufficient_scopes(method_id: str) -> ApiError:
    """403 for a token whose scopes do not allow the method."""
    details = _error_info("ACCESS_TOKEN_SCOPE_INSUFFICIENT", "googleapis.com", method=method_id)
    return ApiError(403, "Request had insufficient authentication scopes.", "insufficientPermissions", details=details)


def api_off() -> ApiError:
    """403 while the API is disabled in the project of the OAuth client."""
    text = (
        "Gmail API has not been used in project 1234567890 before or it is disabled. Enable it by visiting "
        "https://console.developers.google.com/apis/api/gmail.googleapis.com/overview?project=1234567890 then retry. If you "
        "enabled this API recently, wait a few minutes for the action to propagate to our systems and retry."
    )
    details = _error_info("SERVICE_DISABLED", "googleapis.com", consumer="projects/1234567890", service="gmail.googleapis.com")
    return ApiError(403, text, "accessNotConfigured", domain="usageLimits", details=details)


def rate_limited(code: int = 403, reason: str = "rateLimitExceeded", retry_after_s: int | None = None) -> ApiError:
    """403 or 429 for an exceeded quota."""
    message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'."
    if reason == "userRateLimitExceeded":
        message = "User Rate Limit Exceeded"
    return ApiError(code, message, reason, domain="usageLimits", retry_after_s=retry_after_s)


def bad_field(text: str, field: str = "") -> ApiError:
    """400 for an unknown name, or a value of the wrong JSON type; `field` is its path."""
    violation = {"description": text} | ({"field": field} if field else {})
    details = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}
    return ApiError(400, text, "invalid", details=details)


def invalid_value(where: str, kind: str, value: object) -> ApiError:
    """400 for a value of the wrong JSON type."""
    return bad_field(f"Invalid value at '{where}' ({kind}), {str(value)[:80]!r}", where)
