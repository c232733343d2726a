"""Hubs and links of the group. Written by //apis/signalrservice:lock.update; do not edit."""

LOCK = {
    "resources": {
        "SignalR": {
            "hub": "v20240301storage",
            "versions": [
                "v20180301alpha1",
                "v20181001",
                "v20200501",
                "v20210401alpha1",
                "v20211001",
                "v20230201",
                "v20240301"
            ],
            "digests": {
                "v20180301alpha1": "8ed41482a7f5",
                "v20181001": "2d169cef748f",
                "v20200501": "8159c69d4eb7",
                "v20210401alpha1": "d137f0474d7d",
                "v20211001": "935eff2bc2f7",
                "v20230201": "7fa143fb8a25",
                "v20240301": "0e95704520c5"
            },
            "former": [
                "v20211001storage"
            ]
        },
        "SignalRCustomCertificate": {
            "hub": "v20240301storage",
            "versions": [
                "v20230201",
                "v20240301"
            ],
            "digests": {
                "v20230201": "cc06c29e34f4",
                "v20240301": "cc06c29e34f4"
            }
        },
        "SignalRCustomDomain": {
            "hub": "v20240301storage",
            "versions": [
                "v20230201",
                "v20240301"
            ],
            "digests": {
                "v20230201": "9428e7c34abb",
                "v20240301": "9428e7c34abb"
            }
        },
        "SignalRReplica": {
            "hub": "v20240301storage",
            "versions": [
                "v20240301"
            ],
            "digests": {
                "v20240301": "f548fb11d21c"
            }
        }
    },
    "links": {
        "v20180301alpha1storage": [
            "v20181001storage"
        ],
        "v20181001storage": [
            "v20200501storage"
        ],
        "v20200501storage": [
            "v20211001storage"
        ],
        "v20210401alpha1storage": [
            "v20211001storage"
        ],
        "v20211001storage": [
            "v20230201storage"
        ],
        "v20230201storage": [
            "v20240301storage"
        ]
    }
}
