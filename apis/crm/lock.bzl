"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v20211111storage",
            "versions": [
                "v20211111",
                "v20221212alpha1"
            ],
            "digests": {
                "v20211111": "4eef72ab7472",
                "v20221212alpha1": "4eef72ab7472"
            }
        },
        "Person": {
            "hub": "v20211111storage",
            "versions": [
                "v20110101",
                "v20120202",
                "v20130303",
                "v20140404alpha1",
                "v20140404",
                "v20150505",
                "v20160606",
                "v20170707",
                "v20180808",
                "v20190909",
                "v20201010",
                "v20211111",
                "v20221212alpha1"
            ],
            "digests": {
                "v20110101": "298395ab6718",
                "v20120202": "298395ab6718",
                "v20130303": "30179fb5e7b7",
                "v20140404": "a7c564df5ac3",
                "v20140404alpha1": "0be7f306d049",
                "v20150505": "5069153bb585",
                "v20160606": "5578796427fc",
                "v20170707": "05447443657b",
                "v20180808": "d98b77331d30",
                "v20190909": "fa17bfd2ce29",
                "v20201010": "868936f77756",
                "v20211111": "28fcc1dab9d5",
                "v20221212alpha1": "4d21fa51a616"
            },
            "aliases": [
                "v1alpha1api20110101storage",
                "v1alpha1api20120202storage",
                "v1alpha1api20130303storage",
                "v1alpha1api20140404previewstorage",
                "v1alpha1api20140404storage",
                "v1alpha1api20150505storage",
                "v1beta20160606storage"
            ]
        }
    },
    "links": {
        "v1alpha1api20110101storage": [
            "v20110101storage"
        ],
        "v1alpha1api20120202storage": [
            "v20120202storage"
        ],
        "v1alpha1api20130303storage": [
            "v20130303storage"
        ],
        "v1alpha1api20140404previewstorage": [
            "v20140404alpha1storage"
        ],
        "v1alpha1api20140404storage": [
            "v20140404storage"
        ],
        "v1alpha1api20150505storage": [
            "v20150505storage"
        ],
        "v1beta20160606storage": [
            "v20160606storage"
        ],
        "v20110101storage": [
            "v20120202storage"
        ],
        "v20120202storage": [
            "v20130303storage"
        ],
        "v20130303storage": [
            "v20140404storage"
        ],
        "v20140404alpha1storage": [
            "v20140404storage"
        ],
        "v20140404storage": [
            "v20150505storage"
        ],
        "v20150505storage": [
            "v20160606storage"
        ],
        "v20160606storage": [
            "v20170707storage"
        ],
        "v20170707storage": [
            "v20180808storage"
        ],
        "v20180808storage": [
            "v20190909storage"
        ],
        "v20190909storage": [
            "v20201010storage"
        ],
        "v20201010storage": [
            "v20211111storage"
        ],
        "v20221212alpha1storage": [
            "v20211111storage"
        ]
    }
}
