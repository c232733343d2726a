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
                "v20250601": "f07efe3323d5",
                "v20251201": "f07efe3323d5"
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
                "v20250601": "c200662a9c4e",
                "v20251201": "c200662a9c4e"
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
                "v20250601": "0c07debf5f49",
                "v20251201": "0c07debf5f49"
            }
        },
        "CdnProfile": {
            "hub": "v20251201storage",
            "versions": [
                "v20250601",
                "v20251201"
            ],
            "digests": {
                "v20250601": "2e3b888bb12e",
                "v20251201": "2e3b888bb12e"
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
