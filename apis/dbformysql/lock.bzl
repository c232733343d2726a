"""Hubs and links of the group. Written by //apis/dbformysql:lock.update; do not edit."""

LOCK = {
    "resources": {
        "MySQLFlexibleServer": {
            "hub": "v20241230storage",
            "versions": [
                "v20231230",
                "v20241230"
            ],
            "digests": {
                "v20231230": "07f0fa9b7c8a",
                "v20241230": "f96d8d941354"
            }
        },
        "MySQLFlexibleServerAdministrator": {
            "hub": "v20241230storage",
            "versions": [
                "v20231230",
                "v20241230"
            ],
            "digests": {
                "v20231230": "0e3d8c6592b4",
                "v20241230": "e1765a92a962"
            }
        },
        "MySQLFlexibleServerConfiguration": {
            "hub": "v20241230storage",
            "versions": [
                "v20231230",
                "v20241230"
            ],
            "digests": {
                "v20231230": "2333c4ed7de3",
                "v20241230": "d7f0731d0318"
            }
        },
        "MySQLFlexibleServerDatabase": {
            "hub": "v20241230storage",
            "versions": [
                "v20231230",
                "v20241230"
            ],
            "digests": {
                "v20231230": "10e6c7610d82",
                "v20241230": "10e6c7610d82"
            }
        },
        "MySQLFlexibleServerFirewallRule": {
            "hub": "v20241230storage",
            "versions": [
                "v20231230",
                "v20241230"
            ],
            "digests": {
                "v20231230": "de9dd21e029e",
                "v20241230": "de9dd21e029e"
            }
        }
    },
    "links": {
        "v20231230storage": [
            "v20241230storage"
        ]
    }
}
