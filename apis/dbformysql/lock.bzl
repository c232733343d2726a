"""Hubs and links of the group. Written by //apis/dbformysql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "MySQLFlexibleServer": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ]
        },
        "MySQLFlexibleServerAdministrator": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ]
        },
        "MySQLFlexibleServerConfiguration": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ]
        },
        "MySQLFlexibleServerDatabase": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ]
        },
        "MySQLFlexibleServerFirewallRule": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ]
        }
    },
    "links": {
        "v1beta20231230storage": [
            "v1beta20241230storage"
        ]
    }
}
