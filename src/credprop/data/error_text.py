"""Short messages of errors raised by libraries."""


def first_line(error: Exception, most: int = 160) -> str:
    """The first line of its message, or its type where it has none."""
    said = str(error).strip() or type(error).__name__
    return said.splitlines()[0][:most]
