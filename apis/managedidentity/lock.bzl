"""Hubs and links of the group. Written by //apis/managedidentity:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FederatedIdentityCredential": {
            "hub": "v1beta20241130storage",
            "versions": [
                "v1beta20230131",
                "v1beta20241130"
            ],
            "digests": {
                "v1beta20230131": "85ce2dc63c4d",
                "v1beta20241130": "85ce2dc63c4d"
            }
        },
        "UserAssignedIdentity": {
            "hub": "v1beta20241130storage",
            "versions": [
                "v1alpha20150831",
                "v1beta20181130",
                "v1beta20230131",
                "v1beta20241130"
            ],
            "digests": {
                "v1alpha20150831": "9391dfeea8e6",
                "v1beta20181130": "5817588355fe",
                "v1beta20230131": "940f6ebefeba",
                "v1beta20241130": "163ae9084cec"
            },
            "former": [
                "v1beta20181130storage"
            ]
        }
    },
    "links": {
        "v1alpha20150831storage": [
            "v1beta20181130storage"
        ],
        "v1beta20181130storage": [
            "v1beta20230131storage"
        ],
        "v1beta20230131storage": [
            "v1beta20241130storage"
        ]
    }
}
