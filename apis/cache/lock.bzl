"""Hubs and links of the group. Written by `bazel run //apis/cache:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "Redis": {
            "hub": "v1beta20201201storage",
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisEnterprise": {
            "hub": "v1beta20210301storage"
        },
        "RedisEnterpriseDatabase": {
            "hub": "v1beta20210301storage"
        },
        "RedisFirewallRule": {
            "hub": "v1beta20201201storage",
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisLinkedServer": {
            "hub": "v1beta20201201storage",
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        },
        "RedisPatchSchedule": {
            "hub": "v1beta20201201storage",
            "aliases": [
                "v1alpha1api20171001storage",
                "v1alpha1api20200601storage"
            ]
        }
    },
    "links": {
        "v1alpha20201001storage": [
            "v1beta20210301storage"
        ],
        "v1beta20201201storage": []
    }
}
