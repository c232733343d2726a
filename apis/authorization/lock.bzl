"""Hubs and links of the group. Written by //apis/authorization:lock.update; do not edit."""

LOCK = {
    "resources": {
        "PolicyAssignment": {
            "hub": "v1beta20260701storage",
            "versions": [
                "v1beta20190601",
                "v1beta20190901",
                "v1beta20260601",
                "v1beta20260701"
            ],
            "digests": {
                "v1beta20190601": "ae4d71cda0a2",
                "v1beta20190901": "b26d3d9ab417",
                "v1beta20260601": "3c619b6e7d23",
                "v1beta20260701": "3c619b6e7d23"
            },
            "former": [
                "v1beta20190901storage"
            ]
        },
        "RoleAssignment": {
            "hub": "v1alpha20200801storage",
            "versions": [
                "v1alpha20180901",
                "v1alpha20200801"
            ],
            "digests": {
                "v1alpha20180901": "eee3d851598e",
                "v1alpha20200801": "67b4850ae5c0"
            }
        }
    },
    "links": {
        "v1alpha20180901storage": [
            "v1alpha20200801storage"
        ],
        "v1beta20190601storage": [
            "v1beta20190901storage"
        ],
        "v1beta20190901storage": [
            "v1beta20260601storage"
        ],
        "v1beta20260601storage": [
            "v1beta20260701storage"
        ]
    }
}
