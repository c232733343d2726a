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
                "v20190801": "c56c578db66c",
                "v20201201": "658f49e9c03e",
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
                "v20241101",
                "v20250301"
            ],
            "digests": {
                "v20150801": "f736e399ed5c",
                "v20160801": "6efd13fd6463",
                "v20181101": "c0eba07fd813",
                "v20190801": "0386d0c0541b",
                "v20201201": "4aa86dc9514f",
                "v20241101": "e98666390f07",
                "v20250301": "222c86603b43"
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
