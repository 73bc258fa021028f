"""Expected trouble that only the agents tell apart."""

from app.domain.errors import ModelUnavailable


class UnusableAnswer(ModelUnavailable):
    """The model answered, and not in the form asked for, twice: this mail's trouble, others may go well."""
