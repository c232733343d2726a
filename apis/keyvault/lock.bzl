"""Hubs and links of the group. Written by `bazel run //apis/keyvault:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Vault": {
            "hub": "v1beta20190901storage"
        },
        "VaultPrivateEndpointConnection": {
            "hub": "v1beta20190901storage"
        }
    },
    "links": {}
}
