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
            "digests": {
                "v1beta20150801": "90ecf7666001",
                "v1beta20190801": "c56c578db66c",
                "v1beta20201201": "658f49e9c03e",
                "v1beta20241101": "a8ef450c1fcf",
                "v1beta20250301": "b5bd53fb119b"
            },
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
            "digests": {
                "v1beta20150801": "f736e399ed5c",
                "v1beta20160801": "6efd13fd6463",
                "v1beta20181101": "c0eba07fd813",
                "v1beta20190801": "0386d0c0541b",
                "v1beta20201201": "4aa86dc9514f",
                "v1beta20241101": "302da96c6e7b",
                "v1beta20250301": "2c174fc75bab"
            },
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
            "digests": {
                "v1beta20150801": "464809f9e59d",
                "v1beta20160801": "bd44e03329c1",
                "v1beta20181101": "bd44e03329c1",
                "v1beta20190801": "bd44e03329c1",
                "v1beta20201201": "6344157ea4ee",
                "v1beta20241101": "6344157ea4ee",
                "v1beta20250301": "6344157ea4ee"
            },
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
