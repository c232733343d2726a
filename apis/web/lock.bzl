"""Hubs and links of the group. Written by //apis/web:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ServerFarm": {
            "hub": "v20250301storage",
            "versions": [
                "v20150801",
                "v20190801",
                "v20201201",
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20150801": "90ecf7666001",
                "v20190801": "1fa07163ec97",
                "v20201201": "71846e4336a0",
                "v20241101": "3561bc968c2a",
                "v20250301": "26b33f2cec7c"
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
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20150801": "cfddf8ea7bf2",
                "v20160801": "28a0d8f8e40e",
                "v20181101": "cef1f2dc06f6",
                "v20190801": "335de02e36a3",
                "v20201201": "5d4891dd43da",
                "v20241101": "95f80390d66b",
                "v20250301": "20a51a185bf7"
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
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20150801": "464809f9e59d",
                "v20160801": "bd44e03329c1",
                "v20181101": "bd44e03329c1",
                "v20190801": "bd44e03329c1",
                "v20201201": "6344157ea4ee",
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
            "v20241101storage"
        ],
        "v20241101storage": [
            "v20250301storage"
        ]
    }
}
