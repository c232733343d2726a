"""Hubs and links of the group. Written by //apis/signalrservice:lock.update; do not edit."""

LOCK = {
    "resources": {
        "SignalR": {
            "hub": "v1beta20240301storage",
            "versions": [
                "v1alpha20180301",
                "v1beta20181001",
                "v1beta20200501",
                "v1alpha20210401",
                "v1beta20211001",
                "v1beta20230201",
                "v1beta20240301"
            ],
            "former": [
                "v1beta20211001storage"
            ]
        },
        "SignalRCustomCertificate": {
            "hub": "v1beta20240301storage",
            "versions": [
                "v1beta20230201",
                "v1beta20240301"
            ]
        },
        "SignalRCustomDomain": {
            "hub": "v1beta20240301storage",
            "versions": [
                "v1beta20230201",
                "v1beta20240301"
            ]
        },
        "SignalRReplica": {
            "hub": "v1beta20240301storage",
            "versions": [
                "v1beta20240301"
            ]
        }
    },
    "links": {
        "v1alpha20180301storage": [
            "v1beta20181001storage"
        ],
        "v1alpha20210401storage": [
            "v1beta20211001storage"
        ],
        "v1beta20181001storage": [
            "v1beta20200501storage"
        ],
        "v1beta20200501storage": [
            "v1beta20211001storage"
        ],
        "v1beta20211001storage": [
            "v1beta20230201storage"
        ],
        "v1beta20230201storage": [
            "v1beta20240301storage"
        ]
    }
}
