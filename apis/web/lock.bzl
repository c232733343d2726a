"""Hubs and links of the group. Written by //apis/web:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ServerFarm": {
            "hub": "v1beta20250301storage",
            "versions": [
                "v1beta20150801",
                "v1beta20190801",
                "v1beta20201201",
                "v1beta20241101",
                "v1beta20250301"
            ],
            "former": [
                "v1beta20201201storage"
            ]
        },
        "Site": {
            "hub": "v1beta20250301storage",
            "versions": [
                "v1beta20150801",
                "v1beta20160801",
                "v1beta20181101",
                "v1beta20190801",
                "v1beta20201201",
                "v1beta20241101",
                "v1beta20250301"
            ],
            "former": [
                "v1beta20201201storage"
            ]
        },
        "SiteSourceControl": {
            "hub": "v1beta20250301storage",
            "versions": [
                "v1beta20150801",
                "v1beta20160801",
                "v1beta20181101",
                "v1beta20190801",
                "v1beta20201201",
                "v1beta20241101",
                "v1beta20250301"
            ],
            "former": [
                "v1beta20201201storage"
            ]
        }
    },
    "links": {
        "v1beta20150801storage": [
            "v1beta20160801storage",
            "v1beta20190801storage"
        ],
        "v1beta20160801storage": [
            "v1beta20181101storage"
        ],
        "v1beta20181101storage": [
            "v1beta20190801storage"
        ],
        "v1beta20190801storage": [
            "v1beta20201201storage"
        ],
        "v1beta20201201storage": [
            "v1beta20241101storage"
        ],
        "v1beta20241101storage": [
            "v1beta20250301storage"
        ]
    }
}
