"""Hubs and links of the group. Written by //apis/logic:lock.update; do not edit."""

LOCK = {
    "resources": {
        "LogicWorkflow": {
            "hub": "v20190501storage",
            "versions": [
                "v20190501"
            ],
            "digests": {
                "v20190501": "e2a77ecf4067"
            }
        }
    },
    "links": {}
}
