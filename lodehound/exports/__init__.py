"""The catalogue for other programs: one file per format.

A format of your own is a module with one function and a line in `FORMATS`.
"""

from lodehound.exports.formats import FORMATS, Format, format_named
from lodehound.exports.notes import Notes
from lodehound.exports.output import export

__all__ = ["FORMATS", "Format", "Notes", "export", "format_named"]
