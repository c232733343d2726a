"""Hubs and links of the group. Written by //apis/dbformysql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "MySQLFlexibleServer": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ],
            "digests": {
                "v1beta20231230": "761798a5672d",
                "v1beta20241230": "166d9969c77b"
            }
        },
        "MySQLFlexibleServerAdministrator": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ],
            "digests": {
                "v1beta20231230": "e1765a92a962",
                "v1beta20241230": "e1765a92a962"
            }
        },
        "MySQLFlexibleServerConfiguration": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ],
            "digests": {
                "v1beta20231230": "d7f0731d0318",
                "v1beta20241230": "d7f0731d0318"
            }
        },
        "MySQLFlexibleServerDatabase": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ],
            "digests": {
                "v1beta20231230": "10e6c7610d82",
                "v1beta20241230": "10e6c7610d82"
            }
        },
        "MySQLFlexibleServerFirewallRule": {
            "hub": "v1beta20241230storage",
            "versions": [
                "v1beta20231230",
                "v1beta20241230"
            ],
            "digests": {
                "v1beta20231230": "de9dd21e029e",
                "v1beta20241230": "de9dd21e029e"
            }
        }
    },
    "links": {
        "v1beta20231230storage": [
            "v1beta20241230storage"
        ]
    }
}
