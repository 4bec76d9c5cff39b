"""The workbench: crawls in the browser, read from their directories while they run.

It listens on this machine only. It reads crawl directories and never writes to them; with
``--control`` it also starts and stops crawls, by the commands that a user would type.
"""
