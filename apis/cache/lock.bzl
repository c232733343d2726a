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
            "digests": {
                "v1beta20170201": "e9e11c0f3da9",
                "v1beta20171001": "3182e88f6e13",
                "v1beta20200601": "8b384727f3da",
                "v1beta20201201": "7f7cca7ebe8d",
                "v1beta20240301": "23e6240c43cf",
                "v1beta20241101": "ad890c11f9ea"
            },
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
            ],
            "digests": {
                "v1beta20240301": "a61d4cd73cee",
                "v1beta20241101": "db390178ad24"
            }
        },
        "RedisAccessPolicyAssignment": {
            "hub": "v1beta20241101storage",
            "versions": [
                "v1beta20240301",
                "v1beta20241101"
            ],
            "digests": {
                "v1beta20240301": "4df0048af3e7",
                "v1beta20241101": "e8c6cf1213d6"
            }
        },
        "RedisEnterprise": {
            "hub": "v1beta20250701storage",
            "versions": [
                "v1alpha20201001",
                "v1beta20210301",
                "v1beta20250401",
                "v1beta20250701"
            ],
            "digests": {
                "v1alpha20201001": "f83d1f7781bf",
                "v1beta20210301": "8f71120ec37e",
                "v1beta20250401": "c56daebb30c3",
                "v1beta20250701": "c0e37f1aab14"
            },
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
            "digests": {
                "v1alpha20201001": "b2ca7556390b",
                "v1beta20210301": "31a20f276879",
                "v1beta20250401": "a44bee6a1d93",
                "v1beta20250701": "be9fddecadb9"
            },
            "former": [
                "v1beta20210301storage"
            ]
        },
        "RedisEnterpriseDatabaseAccessPolicyAssignment": {
            "hub": "v1beta20250701storage",
            "versions": [
                "v1beta20250401",
                "v1beta20250701"
            ],
            "digests": {
                "v1beta20250401": "9af088eb2ad4",
                "v1beta20250701": "9af088eb2ad4"
            }
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
            "digests": {
                "v1beta20170201": "6c8b4899d603",
                "v1beta20171001": "6c8b4899d603",
                "v1beta20200601": "6c8b4899d603",
                "v1beta20201201": "6c8b4899d603",
                "v1beta20240301": "6c8b4899d603",
                "v1beta20241101": "bdea62d6976b"
            },
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
            "digests": {
                "v1beta20170201": "742687ba3630",
                "v1beta20171001": "742687ba3630",
                "v1beta20200601": "742687ba3630",
                "v1beta20201201": "742687ba3630",
                "v1beta20240301": "742687ba3630",
                "v1beta20241101": "ef1064f8e697"
            },
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
            "digests": {
                "v1beta20170201": "af6b9b96547b",
                "v1beta20171001": "f671f61083ff",
                "v1beta20200601": "f671f61083ff",
                "v1beta20201201": "f671f61083ff",
                "v1beta20240301": "af6b9b96547b",
                "v1beta20241101": "14885b0c3d0f"
            },
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
