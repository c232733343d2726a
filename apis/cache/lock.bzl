"""Hubs and links of the group. Written by //apis/cache:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Redis": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisEnterprise": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1alpha20201001",
                "v1beta20210301"
            ]
        },
        "RedisEnterpriseDatabase": {
            "hub": "v1beta20210301storage",
            "versions": [
                "v1alpha20201001",
                "v1beta20210301"
            ]
        },
        "RedisFirewallRule": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisLinkedServer": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201"
            ],
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisPatchSchedule": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20170201",
                "v1beta20171001",
                "v1beta20200601",
                "v1beta20201201"
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
        ]
    },
    "sources": {
        "v1alpha20201001": "swagger",
        "v1beta20170201": "swagger",
        "v1beta20171001": "swagger",
        "v1beta20200601": "swagger",
        "v1beta20201201": "swagger",
        "v1beta20210301": "swagger"
    }
}
