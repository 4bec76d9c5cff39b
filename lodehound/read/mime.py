"""What a response says it is."""

from __future__ import annotations


def split_content_type(header: str) -> tuple[str, str]:
    """Return the bare type in lower case and the charset of a Content-Type header.

    >>> split_content_type('Text/HTML; boundary=x; charset="UTF-8"')
    ('text/html', 'UTF-8')
    """
    mime, *parameters = header.split(";")
    charset = ""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip("\"'")
            break
    return mime.strip().lower(), charset


def is_html(mime: str) -> bool:
    """Say whether a type is HTML or XHTML, as the SB paper's Algorithm 4 does."""
    return "html" in mime
