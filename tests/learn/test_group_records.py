"""Names of groups, and what their visits brought."""

from __future__ import annotations

from lodehound.learn.group_records import GroupRecords


def test_new_groups_are_named_in_the_order_in_which_they_came() -> None:
    """Though the second is asked for first."""
    unnamed = [(1, "a"), (2, "a")]
    records = GroupRecords({}, unnamed, str.upper)

    assert (records.name(2, "a"), records.name(1, "b")) == ("A (2)", "A")
    unnamed.append((3, "a"))
    assert records.name(3, "a") == "A (3)"


def test_the_best_groups_are_those_with_most_files_per_visit() -> None:
    """Groups with a fixed name and groups without files are left out."""
    records = GroupRecords({-1: "files"}, [(1, "a"), (2, "b"), (3, "c")], str.upper)
    for group, visits, files in ((-1, 1, 9.0), (1, 4, 2.0), (2, 2, 3.0), (3, 5, 0.0)):
        records.count([group], visits=visits, files=files)

    assert records.best(5) == [
        "1.50 files a page over 2 visits: B",
        "0.50 files a page over 4 visits: A",
    ]
    assert records.record(3) == "0 files in 5 visits"
