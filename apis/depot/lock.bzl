"""Hubs and links of the group. Written by //apis/depot:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v20140401storage",
            "versions": [
                "v20140401",
                "v20170301alpha1",
                "v0alpha20180601",
                "v20180601alpha1"
            ],
            "digests": {
                "v0alpha20180601": "f43928c21e28",
                "v20140401": "f617667e08c9",
                "v20170301alpha1": "41aeddecb723",
                "v20180601alpha1": "04b9b06b0e9a"
            }
        },
        "DepotAlarm": {
            "hub": "v20180601alpha1storage",
            "versions": [
                "v20170301alpha1",
                "v20180601alpha1"
            ],
            "digests": {
                "v20170301alpha1": "6257d448b7d3",
                "v20180601alpha1": "6257d448b7d3"
            }
        },
        "DepotLight": {
            "hub": "v20180601alpha1storage",
            "versions": [
                "v20170301alpha1",
                "v20180601alpha1"
            ],
            "digests": {
                "v20170301alpha1": "c70086153493",
                "v20180601alpha1": "73bc8be2c370"
            }
        },
        "Rack": {
            "hub": "v20180601alpha1storage",
            "versions": [
                "v20170301alpha1",
                "v0alpha20180601",
                "v20180601alpha1"
            ],
            "digests": {
                "v0alpha20180601": "7ec0e8148650",
                "v20170301alpha1": "7ec0e8148650",
                "v20180601alpha1": "756627bb593d"
            }
        }
    },
    "links": {
        "v0alpha20180601storage": [
            "v20180601alpha1storage"
        ],
        "v20150501alpha1storage": [
            "v20170301alpha1storage"
        ],
        "v20170301alpha1storage": [
            "v0alpha20180601storage",
            "v20180601alpha1storage"
        ],
        "v20180601alpha1storage": [
            "v20140401storage"
        ]
    }
}
