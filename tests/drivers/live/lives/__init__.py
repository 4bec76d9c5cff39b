"""Random lives of a session: no sockets, no files, a clock that is set by hand, all by a seed."""
