"""Hubs and links of the group. Written by //apis/widgets:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Widget": {
            "hub": "v20200505storage",
            "versions": [
                "v20200101",
                "v20200202",
                "v20200303",
                "v20200404",
                "v20200505"
            ],
            "digests": {
                "v20200101": "2073ef56c1dc",
                "v20200202": "2073ef56c1dc",
                "v20200303": "2073ef56c1dc",
                "v20200404": "d59d63d83378",
                "v20200505": "d59d63d83378"
            }
        }
    },
    "links": {
        "v20200101storage": [
            "v20200202storage"
        ],
        "v20200202storage": [
            "v20200303storage"
        ],
        "v20200303storage": [
            "v20200404storage"
        ],
        "v20200404storage": [
            "v20200505storage"
        ]
    }
}
