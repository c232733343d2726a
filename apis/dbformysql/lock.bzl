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
                "v20231230": "59133a7d957d",
                "v20241230": "80a2679ca0a0"
            }
        },
        "MySQLFlexibleServerAdministrator": {
            "hub": "v20241230storage",
            "versions": [
                "v20231230",
                "v20241230"
            ],
            "digests": {
                "v20231230": "3c3d0752e0c6",
                "v20241230": "ef35184751ff"
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
                "v20231230": "5d7ee8f80728",
                "v20241230": "5d7ee8f80728"
            }
        }
    },
    "links": {
        "v20231230storage": [
            "v20241230storage"
        ]
    }
}
