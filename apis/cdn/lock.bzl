"""Hubs and links of the group. Written by //apis/cdn:lock.update; do not edit."""

LOCK = {
    "resources": {
        "AfdCustomDomain": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "2b676cbf8b7b",
                "v20251201": "2b676cbf8b7b"
            }
        },
        "AfdEndpoint": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "baff759a6fcf",
                "v20251201": "baff759a6fcf"
            }
        },
        "AfdOrigin": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "416639cbada3",
                "v20251201": "416639cbada3"
            }
        },
        "AfdOriginGroup": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "6b9cd5c2c069",
                "v20251201": "6b9cd5c2c069"
            }
        },
        "AfdRoute": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "34a06e203d11",
                "v20251201": "34a06e203d11"
            }
        },
        "AfdRule": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "92b2a6ca6d8f",
                "v20251201": "92b2a6ca6d8f"
            }
        },
        "AfdRuleSet": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "2648c89269c5",
                "v20251201": "5238cb2555ad"
            }
        },
        "AfdSecret": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "4f8adc8cef13",
                "v20251201": "4f8adc8cef13"
            }
        },
        "AfdSecurityPolicy": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "4417a0b10ded",
                "v20251201": "4417a0b10ded"
            }
        },
        "CdnEndpoint": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "88bf01a7d966",
                "v20251201": "88bf01a7d966"
            }
        },
        "CdnProfile": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "23dcd693aafe",
                "v20251201": "23dcd693aafe"
            }
        }
    },
    "links": {
        "v20250601storage": [
            "v20251201storage"
        ]
    },
    "names": {
        "AfdRule": {
            "properties/conditions": "propertiesConditions"
        }
    }
}
