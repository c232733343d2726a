"""Hubs and links of the group. Written by //apis/web:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ServerFarm": {
            "hub": "v20250301storage",
            "versions": [
                "v20150801",
                "v20190801",
                "v20201201",
                "v20231201",
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20150801": "90ecf7666001",
                "v20190801": "c56c578db66c",
                "v20201201": "658f49e9c03e",
                "v20231201": "d6d1da552875",
                "v20241101": "a8ef450c1fcf",
                "v20250301": "b5bd53fb119b"
            },
            "former": [
                "v20201201storage"
            ]
        },
        "Site": {
            "hub": "v20250301storage",
            "versions": [
                "v20150801",
                "v20160801",
                "v20181101",
                "v20190801",
                "v20201201",
                "v20231201",
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20150801": "adcfc6b040dc",
                "v20160801": "94156c535113",
                "v20181101": "06c58acfd892",
                "v20190801": "54cbb39b2c78",
                "v20201201": "03f116ab3b5b",
                "v20231201": "5ba7f234debf",
                "v20241101": "1270857a6596",
                "v20250301": "33d13aed10d7"
            },
            "former": [
                "v20201201storage"
            ]
        },
        "SiteSourceControl": {
            "hub": "v20250301storage",
            "versions": [
                "v20150801",
                "v20160801",
                "v20181101",
                "v20190801",
                "v20201201",
                "v20231201",
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20150801": "464809f9e59d",
                "v20160801": "bd44e03329c1",
                "v20181101": "bd44e03329c1",
                "v20190801": "bd44e03329c1",
                "v20201201": "6344157ea4ee",
                "v20231201": "6344157ea4ee",
                "v20241101": "6344157ea4ee",
                "v20250301": "6344157ea4ee"
            },
            "former": [
                "v20201201storage"
            ]
        }
    },
    "links": {
        "v20150801storage": [
            "v20160801storage",
            "v20190801storage"
        ],
        "v20160801storage": [
            "v20181101storage"
        ],
        "v20181101storage": [
            "v20190801storage"
        ],
        "v20190801storage": [
            "v20201201storage"
        ],
        "v20201201storage": [
            "v20231201storage"
        ],
        "v20231201storage": [
            "v20241101storage"
        ],
        "v20241101storage": [
            "v20250301storage"
        ]
    }
}
