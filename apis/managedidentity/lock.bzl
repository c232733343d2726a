"""Hubs and links of the group. Written by //apis/managedidentity:lock.update; do not edit."""

LOCK = {
    "resources": {
        "FederatedIdentityCredential": {
            "hub": "v1beta20241130storage",
            "versions": [
                "v1beta20230131",
                "v1beta20241130"
            ]
        },
        "UserAssignedIdentity": {
            "hub": "v1beta20241130storage",
            "versions": [
                "v1alpha20150831",
                "v1beta20181130",
                "v1beta20230131",
                "v1beta20241130"
            ],
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
