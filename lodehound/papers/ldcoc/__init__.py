"""LDCOC (IJCAI 2020): which URIs dereference to RDF.

======================  =====================================
Sec. 3.1, Definition 2  ``uri_rules``, ``rdf_crawl``
Sec. 3.2                ``uri_features``, ``similarity``
Sec. 3.3, Algorithm 1   ``ldcoc``, ``ftrl``
Sec. 2, Sec. 4          ``rdf_filter``, ``rdf_batch``, ``batch``
======================  =====================================
"""
