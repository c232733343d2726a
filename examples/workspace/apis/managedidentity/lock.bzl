"""Hubs and links of the group. Written by //apis/managedidentity:lock.update; do not edit."""

LOCK = {
    "resources": {
        "UserAssignedIdentity": {
            "hub": "v1beta20230131storage",
            "versions": [
                "v1beta20181130",
                "v1beta20230131"
            ]
        },
        "UserAssignedIdentityFederatedIdentityCredential": {
            "hub": "v1beta20230131storage",
            "versions": [
                "v1beta20230131"
            ]
        }
    },
    "links": {
        "v1beta20181130storage": [
            "v1beta20230131storage"
        ]
    }
}
