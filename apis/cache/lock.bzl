"""Hubs and links of the group. Written by //apis/cache:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Redis": {
            "hub": "v20241101storage",
            "versions": [
                "v20170201",
                "v20171001",
                "v20200601",
                "v20201201",
                "v20240301",
                "v20241101"
            ],
            "digests": {
                "v20170201": "1a5e234d26b5",
                "v20171001": "197d3584274a",
                "v20200601": "ec6cbde095fe",
                "v20201201": "7fc7309b8395",
                "v20240301": "4d09b2d3dd39",
                "v20241101": "2009aedb19d7"
            },
            "former": [
                "v20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisAccessPolicy": {
            "hub": "v20241101storage",
            "versions": [
                "v20240301",
                "v20241101"
            ],
            "digests": {
                "v20240301": "a61d4cd73cee",
                "v20241101": "db390178ad24"
            }
        },
        "RedisAccessPolicyAssignment": {
            "hub": "v20241101storage",
            "versions": [
                "v20240301",
                "v20241101"
            ],
            "digests": {
                "v20240301": "cd5343af99f3",
                "v20241101": "babbf773ae6c"
            }
        },
        "RedisEnterprise": {
            "hub": "v20250701storage",
            "versions": [
                "v20201001alpha1",
                "v20210301",
                "v20250401",
                "v20250701"
            ],
            "digests": {
                "v20201001alpha1": "f83d1f7781bf",
                "v20210301": "8f71120ec37e",
                "v20250401": "04213761c752",
                "v20250701": "13ae00913ab8"
            },
            "former": [
                "v20210301storage"
            ]
        },
        "RedisEnterpriseDatabase": {
            "hub": "v20250701storage",
            "versions": [
                "v20201001alpha1",
                "v20210301",
                "v20250401",
                "v20250701"
            ],
            "digests": {
                "v20201001alpha1": "b2ca7556390b",
                "v20210301": "31a20f276879",
                "v20250401": "a44bee6a1d93",
                "v20250701": "be9fddecadb9"
            },
            "former": [
                "v20210301storage"
            ]
        },
        "RedisEnterpriseDatabaseAccessPolicyAssignment": {
            "hub": "v20250701storage",
            "versions": [
                "v20250401",
                "v20250701"
            ],
            "digests": {
                "v20250401": "2fafa2b5e483",
                "v20250701": "2fafa2b5e483"
            }
        },
        "RedisFirewallRule": {
            "hub": "v20241101storage",
            "versions": [
                "v20170201",
                "v20171001",
                "v20200601",
                "v20201201",
                "v20240301",
                "v20241101"
            ],
            "digests": {
                "v20170201": "6c8b4899d603",
                "v20171001": "6c8b4899d603",
                "v20200601": "6c8b4899d603",
                "v20201201": "6c8b4899d603",
                "v20240301": "6c8b4899d603",
                "v20241101": "bdea62d6976b"
            },
            "former": [
                "v20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisLinkedServer": {
            "hub": "v20241101storage",
            "versions": [
                "v20170201",
                "v20171001",
                "v20200601",
                "v20201201",
                "v20240301",
                "v20241101"
            ],
            "digests": {
                "v20170201": "742687ba3630",
                "v20171001": "742687ba3630",
                "v20200601": "742687ba3630",
                "v20201201": "742687ba3630",
                "v20240301": "742687ba3630",
                "v20241101": "ef1064f8e697"
            },
            "former": [
                "v20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisPatchSchedule": {
            "hub": "v20241101storage",
            "versions": [
                "v20170201",
                "v20171001",
                "v20200601",
                "v20201201",
                "v20240301",
                "v20241101"
            ],
            "digests": {
                "v20170201": "af6b9b96547b",
                "v20171001": "f671f61083ff",
                "v20200601": "f671f61083ff",
                "v20201201": "f671f61083ff",
                "v20240301": "af6b9b96547b",
                "v20241101": "14885b0c3d0f"
            },
            "former": [
                "v20201201storage"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        }
    },
    "links": {
        "v1alpha1api20171001storage": [
            "v20171001storage"
        ],
        "v1alpha1api20200601storage": [
            "v20200601storage"
        ],
        "v20170201storage": [
            "v20171001storage"
        ],
        "v20171001storage": [
            "v20200601storage"
        ],
        "v20200601storage": [
            "v20201201storage"
        ],
        "v20201001alpha1storage": [
            "v20210301storage"
        ],
        "v20201201storage": [
            "v20240301storage"
        ],
        "v20210301storage": [
            "v20250401storage"
        ],
        "v20240301storage": [
            "v20241101storage"
        ],
        "v20250401storage": [
            "v20250701storage"
        ]
    },
    "names": {
        "RedisAccessPolicy": {
            "properties/type": "type",
            "type": "armType"
        }
    }
}
