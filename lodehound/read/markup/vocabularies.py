"""Predefined names: prefixes of RDFa, cards of social networks, Dublin Core."""

from __future__ import annotations

# The initial context of RDFa 1.1 (https://www.w3.org/2011/rdfa-context/rdfa-1.1).
PREFIXES = {
    "as": "https://www.w3.org/ns/activitystreams#",
    "cc": "http://creativecommons.org/ns#",
    "csvw": "http://www.w3.org/ns/csvw#",
    "ctag": "http://commontag.org/ns#",
    "dc": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "dqv": "http://www.w3.org/ns/dqv#",
    "duv": "http://www.w3.org/ns/duv#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gr": "http://purl.org/goodrelations/v1#",
    "grddl": "http://www.w3.org/2003/g/data-view#",
    "ical": "http://www.w3.org/2002/12/cal/icaltzd#",
    "jsonld": "http://www.w3.org/ns/json-ld#",
    "ldp": "http://www.w3.org/ns/ldp#",
    "ma": "http://www.w3.org/ns/ma-ont#",
    "oa": "http://www.w3.org/ns/oa#",
    "odrl": "http://www.w3.org/ns/odrl/2/",
    "og": "http://ogp.me/ns#",
    "org": "http://www.w3.org/ns/org#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "qb": "http://purl.org/linked-data/cube#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfa": "http://www.w3.org/ns/rdfa#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "rev": "http://purl.org/stuff/rev#",
    "rif": "http://www.w3.org/2007/rif#",
    "rr": "http://www.w3.org/ns/r2rml#",
    "schema": "http://schema.org/",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "skosxl": "http://www.w3.org/2008/05/skos-xl#",
    "sosa": "http://www.w3.org/ns/sosa/",
    "ssn": "http://www.w3.org/ns/ssn/",
    "time": "http://www.w3.org/2006/time#",
    "v": "http://rdf.data-vocabulary.org/#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "wdr": "http://www.w3.org/2007/05/powder#",
    "wdrs": "http://www.w3.org/2007/05/powder-s#",
    "xhv": "http://www.w3.org/1999/xhtml/vocab#",
    "xml": "http://www.w3.org/XML/1998/namespace",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

# Prefixes of the Open Graph protocol (ogp.me) and of related markup for social networks.
OPEN_GRAPH = {
    "og": "http://ogp.me/ns#",
    "article": "http://ogp.me/ns/article#",
    "book": "http://ogp.me/ns/book#",
    "music": "http://ogp.me/ns/music#",
    "product": "http://ogp.me/ns/product#",
    "profile": "http://ogp.me/ns/profile#",
    "video": "http://ogp.me/ns/video#",
    "website": "http://ogp.me/ns/website#",
}
SOCIAL = frozenset(OPEN_GRAPH) | {"al", "business", "fb", "place", "restaurant", "twitter"}

ELEMENTS = "http://purl.org/dc/elements/1.1/"
TERMS = "http://purl.org/dc/terms/"
# The fifteen elements of Dublin Core; all other DCMI names are terms.
DC_ELEMENTS = frozenset(
    """
    contributor coverage creator date description format identifier language publisher relation
    rights source subject title type
    """.split()
)
DC_TERMS = frozenset(
    """
    abstract accessrights accrualmethod accrualperiodicity accrualpolicy alternative audience
    available bibliographiccitation conformsto created dateaccepted datecopyrighted datesubmitted
    educationlevel extent hasformat haspart hasversion instructionalmethod isformatof ispartof
    isreferencedby isreplacedby isrequiredby issued isversionof license mediator medium modified
    provenance references replaces requires rightsholder spatial tableofcontents temporal valid
    """.split()
)
