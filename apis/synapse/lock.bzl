"""Hubs and links of the group. Written by //apis/synapse:lock.update; do not edit."""

LOCK = {
    "resources": {
        "SynapseBigDataPool": {
            "hub": "v20210601storage",
            "versions": [
                "v20210501",
                "v20210601"
            ],
            "digests": {
                "v20210501": "cb3f1ef8d5ad",
                "v20210601": "965a8c16720f"
            }
        },
        "SynapseWorkspace": {
            "hub": "v20210601storage",
            "versions": [
                "v20210501",
                "v20210601"
            ],
            "digests": {
                "v20210501": "1c1bcf172f95",
                "v20210601": "3de68560197d"
            }
        }
    },
    "links": {
        "v20210501storage": [
            "v20210601storage"
        ]
    }
}
