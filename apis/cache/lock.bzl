"""Hubs and links of the group. Written by //apis/cache:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Redis": {
            "hub": "v1beta20241101storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201",
                "v1beta20240301",
                "v1beta20241101"
            ],
            "former": [
                "v1beta20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisAccessPolicy": {
            "hub": "v1beta20241101storage",
            "versions": [
                "v1beta20240301",
                "v1beta20241101"
            ]
        },
        "RedisAccessPolicyAssignment": {
            "hub": "v1beta20241101storage",
            "versions": [
                "v1beta20240301",
                "v1beta20241101"
            ]
        },
        "RedisEnterprise": {
            "hub": "v1beta20250701storage",
            "versions": [
                "v1alpha20201001",
                "v1beta20210301",
                "v1beta20250401",
                "v1beta20250701"
            ],
            "former": [
                "v1beta20210301storage"
            ]
        },
        "RedisEnterpriseDatabase": {
            "hub": "v1beta20250701storage",
            "versions": [
                "v1alpha20201001",
                "v1beta20210301",
                "v1beta20250401",
                "v1beta20250701"
            ],
            "former": [
                "v1beta20210301storage"
            ]
        },
        "RedisEnterpriseDatabaseAccessPolicyAssignment": {
            "hub": "v1beta20250701storage",
            "versions": [
                "v1beta20250401",
                "v1beta20250701"
            ]
        },
        "RedisFirewallRule": {
            "hub": "v1beta20241101storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201",
                "v1beta20240301",
                "v1beta20241101"
            ],
            "former": [
                "v1beta20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisLinkedServer": {
            "hub": "v1beta20241101storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201",
                "v1beta20240301",
                "v1beta20241101"
            ],
            "former": [
                "v1beta20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisPatchSchedule": {
            "hub": "v1beta20241101storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201",
                "v1beta20240301",
                "v1beta20241101"
            ],
            "former": [
                "v1beta20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        }
    },
    "links": {
        "v1alpha1api20171001storage": [
            "v1beta20171001storage"
        ],
        "v1alpha1api20200601storage": [
            "v1beta20200601storage"
        ],
        "v1alpha20201001storage": [
            "v1beta20210301storage"
        ],
        "v1beta20170201storage": [
            "v1beta20171001storage"
        ],
        "v1beta20171001storage": [
            "v1beta20200601storage"
        ],
        "v1beta20200601storage": [
            "v1beta20201201storage"
        ],
        "v1beta20201201storage": [
            "v1beta20240301storage"
        ],
        "v1beta20210301storage": [
            "v1beta20250401storage"
        ],
        "v1beta20240301storage": [
            "v1beta20241101storage"
        ],
        "v1beta20250401storage": [
            "v1beta20250701storage"
        ]
    },
    "names": {
        "RedisAccessPolicy": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
