"""The statements with which the database of a fleet is read and written."""

from __future__ import annotations

SPENT = "spent"  # metadata: the shared budget is used up
MOST_STRIKES = 3  # workers that may die over one site

COLUMNS = (
    "number, name, start, options, team, state, reason, detail, requests, finds, bytes, drought, "
    "links, per_minute, obstacle, granted, rounds, idle"
)
# A site that has made all that it was granted of a shared budget keeps no other from its place.
FREE = """
    SELECT number FROM teams WHERE worker IS NULL AND open AND EXISTS (
        SELECT 1 FROM sites WHERE team = teams.number AND state = 'waiting' AND listed
            AND (granted IS NULL OR granted > requests
                OR EXISTS (SELECT 1 FROM meta WHERE key = 'spent')))
    ORDER BY number LIMIT ?"""
STANDINGS = """
    SELECT number, requests, finds, granted, state IN ('running', 'waiting') AND NOT idle,
        state = 'failed' AND strikes
    FROM sites WHERE listed"""
# Free again, under a new epoch, and to be continued.
DISMISS = """
    UPDATE teams SET worker = NULL, epoch = epoch + 1,
        open = EXISTS (SELECT 1 FROM sites WHERE team = teams.number AND state = 'waiting')
    WHERE worker = ?"""
WAIT_AGAIN = """
    UPDATE sites SET state = 'waiting' WHERE state = 'running'
        AND team IN (SELECT number FROM teams WHERE worker = ?)"""
STRIKE = "UPDATE sites SET strikes = strikes + 1 WHERE number = ?"
GIVE_UP = """
    UPDATE sites SET state = 'failed', reason = 'worker died',
        detail = 'several workers died or hung while they read its pages'
    WHERE number = ? AND strikes >= ?"""
# A part that waits for links gives back what it was granted.
PROGRESS = """
    UPDATE sites SET requests = ?, finds = ?, bytes = ?, drought = ?, links = ?, per_minute = ?,
        obstacle = ?, idle = ?, granted = CASE WHEN ? THEN min(granted, ?) ELSE granted END
    WHERE number = ?"""
# What has ended for good is left alone: every link was followed.
AGAIN = """
    UPDATE sites SET state = 'waiting', reason = '', detail = '', strikes = 0
    WHERE listed AND state <> 'waiting' AND NOT (state = 'ended' AND reason = 'exhausted')"""
OPEN = """
    UPDATE teams SET worker = NULL, epoch = epoch + 1,
        open = EXISTS (SELECT 1 FROM sites WHERE team = teams.number AND state = 'waiting')"""
WORST = """
    ORDER BY instr('failed running waiting ended', state), obstacle = '', drought DESC, number"""
BEGIN_AGAIN = """
    UPDATE sites SET state = 'waiting', reason = '', detail = '', strikes = 0, rounds = 1,
        requests = 0, finds = 0, bytes = 0, drought = 0, links = 0
    WHERE name = ?"""
