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
                "v20190801": "1fa07163ec97",
                "v20201201": "71846e4336a0",
                "v20231201": "f6d5fd9dbb86",
                "v20241101": "19411fc18802",
                "v20250301": "55d7ece652fa"
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
                "v20150801": "b0c99ddde057",
                "v20160801": "75636b893fe7",
                "v20181101": "1deb5b5a3983",
                "v20190801": "bb238f3a14a8",
                "v20201201": "15d009814046",
                "v20231201": "a4e2934d625c",
                "v20241101": "ff06ff589d93",
                "v20250301": "cd14db2e8fa9"
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
