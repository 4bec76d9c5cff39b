"""Anthelion (CIKM 2014): pages with structured data on many hosts.

=================  =========================================================
Sec. 3.1           ``page_classifier``, ``url_tokens``, ``bayes``, ``hoeffding``
Sec. 3.2           ``host_bandits``, ``beta``; put together in ``anthelion``
Sec. 5.1, Table 2  ``online``, ``random_host``
=================  =========================================================
"""
