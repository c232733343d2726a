"""Hubs and links of the group. Written by //tests/e2e/gauges:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Gauge": {
            "hub": "v20220101storage",
            "versions": [
                "v20200101",
                "v20210101",
                "v20220101"
            ],
            "digests": {
                "v20200101": "94002732b5f5",
                "v20210101": "0cf48d6a170e",
                "v20220101": "838b6c2cbfb7"
            }
        }
    },
    "links": {
        "v20200101storage": [
            "v20210101storage"
        ],
        "v20210101storage": [
            "v20220101storage"
        ]
    }
}
