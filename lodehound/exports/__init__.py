"""Writes the catalogue for other programs: one module per format.

To add a format, write a module with one function and add a line to `FORMATS`.
"""

from lodehound.exports.formats import FORMATS, Format, format_named
from lodehound.exports.notes import Notes
from lodehound.exports.output import export

__all__ = ["FORMATS", "Format", "Notes", "export", "format_named"]
