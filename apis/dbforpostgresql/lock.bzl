"""Hubs and links of the group. Written by `bazel run //apis/dbforpostgresql:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "FlexibleServer": {
            "hub": "v1beta20210601storage"
        },
        "FlexibleServerConfiguration": {
            "hub": "v1beta20210601storage"
        },
        "FlexibleServerDatabase": {
            "hub": "v1beta20210601storage"
        },
        "FlexibleServerFirewallRule": {
            "hub": "v1beta20210601storage"
        }
    },
    "links": {}
}
