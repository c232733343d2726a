"""Hubs and links of the group. Written by //apis/managedidentity:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FederatedIdentityCredential": {
            "hub": "v20241130storage",
            "versions": [
                "v20230131",
                "v20241130"
            ],
            "digests": {
                "v20230131": "85ce2dc63c4d",
                "v20241130": "85ce2dc63c4d"
            }
        },
        "UserAssignedIdentity": {
            "hub": "v20241130storage",
            "versions": [
                "v20150831alpha1",
                "v20181130",
                "v20230131",
                "v20241130"
            ],
            "digests": {
                "v20150831alpha1": "9391dfeea8e6",
                "v20181130": "5817588355fe",
                "v20230131": "940f6ebefeba",
                "v20241130": "163ae9084cec"
            },
            "former": [
                "v20181130storage"
            ]
        }
    },
    "links": {
        "v20150831alpha1storage": [
            "v20181130storage"
        ],
        "v20181130storage": [
            "v20230131storage"
        ],
        "v20230131storage": [
            "v20241130storage"
        ]
    }
}
