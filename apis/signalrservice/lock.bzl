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
                "v20200501": "d5472b038e33",
                "v20210401alpha1": "0dd731aa0e05",
                "v20211001": "c0a8f851e013",
                "v20230201": "f132c946b570",
                "v20240301": "1e33f9f437c3"
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
                "v20230201": "8945dc636714",
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
                "v20240301": "8912ae7dfc78"
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
