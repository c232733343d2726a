"""Hubs and links of the group. Written by `./bazelw run //apis/managedidentity:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "UserAssignedIdentity": {
            "hub": "v1beta20181130storage",
            "versions": [
                "v1alpha20150831",
                "v1beta20181130"
            ]
        }
    },
    "links": {
        "v1alpha20150831storage": [
            "v1beta20181130storage"
        ]
    },
    "sources": {
        "v1alpha20150831": "swagger",
        "v1beta20181130": "swagger"
    }
}
