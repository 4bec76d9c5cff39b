"""Learners the policies are made of. They know nothing of crawling."""
