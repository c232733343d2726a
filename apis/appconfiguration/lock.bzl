"""Hubs and links of the group. Written by //apis/appconfiguration:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ConfigurationStore": {
            "hub": "v20240601storage",
            "versions": [
                "v20230301",
                "v20240501",
                "v20240601"
            ],
            "digests": {
                "v20230301": "bb3aa91d22ec",
                "v20240501": "a20558dd72e0",
                "v20240601": "761a6d3b6639"
            }
        },
        "ConfigurationStoreKeyValue": {
            "hub": "v20240601storage",
            "versions": [
                "v20230301",
                "v20240501",
                "v20240601"
            ],
            "digests": {
                "v20230301": "9b71a873befd",
                "v20240501": "9b71a873befd",
                "v20240601": "9b71a873befd"
            }
        },
        "ConfigurationStoreReplica": {
            "hub": "v20240601storage",
            "versions": [
                "v20230301",
                "v20240501",
                "v20240601"
            ],
            "digests": {
                "v20230301": "7f46f9da8913",
                "v20240501": "7f46f9da8913",
                "v20240601": "7f46f9da8913"
            }
        },
        "ConfigurationStoreSnapshot": {
            "hub": "v20240601storage",
            "versions": [
                "v20240501",
                "v20240601"
            ],
            "digests": {
                "v20240501": "6a4932dda980",
                "v20240601": "6a4932dda980"
            }
        }
    },
    "links": {
        "v20230301storage": [
            "v20240501storage"
        ],
        "v20240501storage": [
            "v20240601storage"
        ]
    }
}
