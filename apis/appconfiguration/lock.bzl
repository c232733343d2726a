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
                "v20230301": "b5194901cdd9",
                "v20240501": "3f771c6eec00",
                "v20240601": "b2604d38551a"
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
