"""Hubs and links of the group. Written by //apis/depot:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Depot": {
            "hub": "v1beta20140401storage",
            "versions": [
                "v1beta20140401",
                "v1alpha20170301",
                "v0alpha20180601",
                "v1alpha20180601"
            ],
            "digests": {
                "v0alpha20180601": "f43928c21e28",
                "v1alpha20170301": "41aeddecb723",
                "v1alpha20180601": "04b9b06b0e9a",
                "v1beta20140401": "f617667e08c9"
            }
        },
        "DepotAlarm": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20180601"
            ],
            "digests": {
                "v1alpha20170301": "6257d448b7d3",
                "v1alpha20180601": "6257d448b7d3"
            }
        },
        "DepotLight": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20180601"
            ],
            "digests": {
                "v1alpha20170301": "c70086153493",
                "v1alpha20180601": "73bc8be2c370"
            }
        },
        "Rack": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v0alpha20180601",
                "v1alpha20180601"
            ],
            "digests": {
                "v0alpha20180601": "7ec0e8148650",
                "v1alpha20170301": "7ec0e8148650",
                "v1alpha20180601": "756627bb593d"
            }
        }
    },
    "links": {
        "v0alpha20180601storage": [
            "v1alpha20180601storage"
        ],
        "v1alpha20150501storage": [
            "v1alpha20170301storage"
        ],
        "v1alpha20170301storage": [
            "v0alpha20180601storage",
            "v1alpha20180601storage"
        ],
        "v1alpha20180601storage": [
            "v1beta20140401storage"
        ]
    }
}
