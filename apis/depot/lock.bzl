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
            ]
        },
        "DepotAlarm": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20180601"
            ]
        },
        "DepotLight": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v1alpha20180601"
            ]
        },
        "Rack": {
            "hub": "v1alpha20180601storage",
            "versions": [
                "v1alpha20170301",
                "v0alpha20180601",
                "v1alpha20180601"
            ]
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
