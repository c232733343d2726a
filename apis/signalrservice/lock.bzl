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
            "digests": {
                "v1alpha20180301": "8ed41482a7f5",
                "v1alpha20210401": "0dd731aa0e05",
                "v1beta20181001": "2d169cef748f",
                "v1beta20200501": "14988b490ba4",
                "v1beta20211001": "4cea09ab9180",
                "v1beta20230201": "f132c946b570",
                "v1beta20240301": "06b6d83de4b3"
            },
            "former": [
                "v1beta20211001storage"
            ]
        },
        "SignalRCustomCertificate": {
            "hub": "v1beta20240301storage",
            "versions": [
                "v1beta20230201",
                "v1beta20240301"
            ],
            "digests": {
                "v1beta20230201": "8945dc636714",
                "v1beta20240301": "8945dc636714"
            }
        },
        "SignalRCustomDomain": {
            "hub": "v1beta20240301storage",
            "versions": [
                "v1beta20230201",
                "v1beta20240301"
            ],
            "digests": {
                "v1beta20230201": "9428e7c34abb",
                "v1beta20240301": "9428e7c34abb"
            }
        },
        "SignalRReplica": {
            "hub": "v1beta20240301storage",
            "versions": [
                "v1beta20240301"
            ],
            "digests": {
                "v1beta20240301": "f6add23f29ea"
            }
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
