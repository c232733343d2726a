"""Hubs and links of the group. Written by //apis/quota:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ServiceQuota": {
            "hub": "v20250901storage",
            "versions": [
                "v20250901"
            ],
            "digests": {
                "v20250901": "7c934a406684"
            }
        }
    },
    "links": {},
    "names": {
        "ServiceQuota": {
            "name": "armName",
            "properties/name": "name",
            "properties/properties": "propertiesProperties"
        }
    }
}
