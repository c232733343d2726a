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
                "v20250301": "f05fd4801c49"
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
                "v20150801": "f4801d2e3dd4",
                "v20160801": "ffeadf4910e3",
                "v20181101": "cde59e7fbc98",
                "v20190801": "d863da5ae082",
                "v20201201": "5004475a943f",
                "v20231201": "b48b3729799d",
                "v20241101": "824a58787559",
                "v20250301": "0c3d50cc657d"
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
