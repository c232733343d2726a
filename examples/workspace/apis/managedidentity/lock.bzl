"""Hubs and links of the group. Written by //apis/managedidentity:lock.update; do not edit."""

LOCK = {
    "resources": {
        "UserAssignedIdentity": {
            "hub": "v20230131storage",
            "versions": [
                "v20181130",
                "v20230131"
            ],
            "digests": {
                "v20181130": "e7592085373e",
                "v20230131": "3d0e96342fa1"
            }
        },
        "UserAssignedIdentityFederatedIdentityCredential": {
            "hub": "v20230131storage",
            "versions": [
                "v20230131"
            ],
            "digests": {
                "v20230131": "dfcd065ae761"
            }
        }
    },
    "links": {
        "v20181130storage": [
            "v20230131storage"
        ]
    }
}
