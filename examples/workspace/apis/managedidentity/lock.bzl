"""Hubs and links of the group. Written by //apis/managedidentity:lock.update; do not edit."""

LOCK = {
    "resources": {
        "UserAssignedIdentity": {
            "hub": "v1beta20230131storage",
            "versions": [
                "v1beta20181130",
                "v1beta20230131"
            ],
            "digests": {
                "v1beta20181130": "e7592085373e",
                "v1beta20230131": "3d0e96342fa1"
            }
        },
        "UserAssignedIdentityFederatedIdentityCredential": {
            "hub": "v1beta20230131storage",
            "versions": [
                "v1beta20230131"
            ],
            "digests": {
                "v1beta20230131": "dfcd065ae761"
            }
        }
    },
    "links": {
        "v1beta20181130storage": [
            "v1beta20230131storage"
        ]
    }
}
