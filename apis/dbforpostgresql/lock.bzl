"""Hubs and links of the group. Written by `./bazelw run //apis/dbforpostgresql:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "FlexibleServer": {
            "hub": "v1beta20210601storage",
            "versions": [
                "v1alpha20200214",
                "v1alpha20210601",
                "v1beta20210601"
            ]
        },
        "FlexibleServerConfiguration": {
            "hub": "v1beta20210601storage",
            "versions": [
                "v1alpha20210601",
                "v1beta20210601"
            ]
        },
        "FlexibleServerDatabase": {
            "hub": "v1beta20210601storage",
            "versions": [
                "v1alpha20210601",
                "v1beta20210601"
            ]
        },
        "FlexibleServerFirewallRule": {
            "hub": "v1beta20210601storage",
            "versions": [
                "v1alpha20200214",
                "v1alpha20210601",
                "v1beta20210601"
            ]
        }
    },
    "links": {
        "v1alpha20200214storage": [
            "v1alpha20210601storage"
        ],
        "v1alpha20210601storage": [
            "v1beta20210601storage"
        ]
    },
    "sources": {
        "v1alpha20200214": "swagger",
        "v1alpha20210601": "swagger+jsonschema",
        "v1beta20210601": "swagger"
    }
}
