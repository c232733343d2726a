"""Hubs and links of the group. Written by //apis/widgets:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Widget": {
            "hub": "v1beta20200505storage",
            "versions": [
                "v1beta20200101",
                "v1beta20200202",
                "v1beta20200303",
                "v1beta20200404",
                "v1beta20200505"
            ],
            "digests": {
                "v1beta20200101": "2073ef56c1dc",
                "v1beta20200202": "2073ef56c1dc",
                "v1beta20200303": "2073ef56c1dc",
                "v1beta20200404": "d59d63d83378",
                "v1beta20200505": "d59d63d83378"
            }
        }
    },
    "links": {
        "v1beta20200101storage": [
            "v1beta20200202storage"
        ],
        "v1beta20200202storage": [
            "v1beta20200303storage"
        ],
        "v1beta20200303storage": [
            "v1beta20200404storage"
        ],
        "v1beta20200404storage": [
            "v1beta20200505storage"
        ]
    }
}
