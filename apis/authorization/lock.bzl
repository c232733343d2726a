"""Hubs and links of the group. Written by //apis/authorization:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ManagementLock": {
            "hub": "v20200501storage",
            "versions": [
                "v20200501"
            ],
            "digests": {
                "v20200501": "7ff4848b2fa1"
            }
        },
        "PolicyAssignment": {
            "hub": "v20260701storage",
            "versions": [
                "v20190601",
                "v20190901",
                "v20240401",
                "v20260601",
                "v20260701"
            ],
            "digests": {
                "v20190601": "ae4d71cda0a2",
                "v20190901": "b26d3d9ab417",
                "v20240401": "e6b4cabd0a71",
                "v20260601": "38f054ff38d9",
                "v20260701": "38f054ff38d9"
            },
            "former": [
                "v20190901storage"
            ]
        },
        "PolicyDefinition": {
            "hub": "v20260701storage",
            "versions": [
                "v20260601",
                "v20260701"
            ],
            "digests": {
                "v20260601": "bb3ce3402ef0",
                "v20260701": "bb3ce3402ef0"
            }
        },
        "PolicyExemption": {
            "hub": "v20220701alpha1storage",
            "versions": [
                "v20220701alpha1"
            ],
            "digests": {
                "v20220701alpha1": "5213a8ec5ff3"
            }
        },
        "PolicySetDefinition": {
            "hub": "v20260701storage",
            "versions": [
                "v20260601",
                "v20260701"
            ],
            "digests": {
                "v20260601": "5c5e5350f5cf",
                "v20260701": "5c5e5350f5cf"
            }
        },
        "RoleAssignment": {
            "hub": "v20220401storage",
            "versions": [
                "v20180901alpha1",
                "v20200801alpha1",
                "v20220401"
            ],
            "digests": {
                "v20180901alpha1": "97e220dbd282",
                "v20200801alpha1": "9c9705a86807",
                "v20220401": "732ddf4f7b6b"
            },
            "former": [
                "v20200801alpha1storage"
            ]
        },
        "RoleDefinition": {
            "hub": "v20220401storage",
            "versions": [
                "v20150701",
                "v20220401"
            ],
            "digests": {
                "v20150701": "874f73b31250",
                "v20220401": "6adeee09f3d0"
            }
        }
    },
    "links": {
        "v20150701storage": [
            "v20220401storage"
        ],
        "v20180901alpha1storage": [
            "v20200801alpha1storage"
        ],
        "v20190601storage": [
            "v20190901storage"
        ],
        "v20190901storage": [
            "v20240401storage"
        ],
        "v20200801alpha1storage": [
            "v20220401storage"
        ],
        "v20240401storage": [
            "v20260601storage"
        ],
        "v20260601storage": [
            "v20260701storage"
        ]
    },
    "names": {
        "RoleDefinition": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
