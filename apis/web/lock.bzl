"""Hubs and links of the group. Written by `./bazelw run //apis/web:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "ServerFarm": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20150801",
                "v1beta20190801",
                "v1beta20201201"
            ]
        },
        "Site": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20150801",
                "v1beta20160801",
                "v1beta20181101",
                "v1beta20190801",
                "v1beta20201201"
            ]
        },
        "SiteSourceControl": {
            "hub": "v1beta20201201storage",
            "versions": [
                "v1beta20150801",
                "v1beta20160801",
                "v1beta20181101",
                "v1beta20190801",
                "v1beta20201201"
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
        ]
    },
    "sources": {
        "v1beta20150801": "swagger",
        "v1beta20160801": "swagger",
        "v1beta20181101": "swagger",
        "v1beta20190801": "swagger",
        "v1beta20201201": "swagger"
    }
}
