"""Hubs and links of the group. Written by //apis/crm:lock.update; do not edit."""

LOCK = {
    "resources": {
        "Party": {
            "hub": "v1beta20211111storage",
            "versions": [
                "v1beta20211111",
                "v1alpha20221212"
            ],
            "digests": {
                "v1alpha20221212": "4eef72ab7472",
                "v1beta20211111": "4eef72ab7472"
            }
        },
        "Person": {
            "hub": "v1beta20211111storage",
            "versions": [
                "v1beta20110101",
                "v1beta20120202",
                "v1beta20130303",
                "v1alpha20140404",
                "v1beta20140404",
                "v1beta20150505",
                "v1beta20160606",
                "v1beta20170707",
                "v1beta20180808",
                "v1beta20190909",
                "v1beta20201010",
                "v1beta20211111",
                "v1alpha20221212"
            ],
            "digests": {
                "v1alpha20140404": "0be7f306d049",
                "v1alpha20221212": "4d21fa51a616",
                "v1beta20110101": "298395ab6718",
                "v1beta20120202": "298395ab6718",
                "v1beta20130303": "30179fb5e7b7",
                "v1beta20140404": "a7c564df5ac3",
                "v1beta20150505": "5069153bb585",
                "v1beta20160606": "5578796427fc",
                "v1beta20170707": "05447443657b",
                "v1beta20180808": "d98b77331d30",
                "v1beta20190909": "fa17bfd2ce29",
                "v1beta20201010": "868936f77756",
                "v1beta20211111": "28fcc1dab9d5"
            },
            "aliases": [
                "v1alpha1api20110101storage",
                "v1alpha1api20120202storage",
                "v1alpha1api20130303storage",
                "v1alpha1api20140404previewstorage",
                "v1alpha1api20140404storage",
                "v1alpha1api20150505storage"
            ]
        }
    },
    "links": {
        "v1alpha1api20110101storage": [
            "v1beta20110101storage"
        ],
        "v1alpha1api20120202storage": [
            "v1beta20120202storage"
        ],
        "v1alpha1api20130303storage": [
            "v1beta20130303storage"
        ],
        "v1alpha1api20140404previewstorage": [
            "v1alpha20140404storage"
        ],
        "v1alpha1api20140404storage": [
            "v1beta20140404storage"
        ],
        "v1alpha1api20150505storage": [
            "v1beta20150505storage"
        ],
        "v1alpha20140404storage": [
            "v1beta20140404storage"
        ],
        "v1alpha20221212storage": [
            "v1beta20211111storage"
        ],
        "v1beta20110101storage": [
            "v1beta20120202storage"
        ],
        "v1beta20120202storage": [
            "v1beta20130303storage"
        ],
        "v1beta20130303storage": [
            "v1beta20140404storage"
        ],
        "v1beta20140404storage": [
            "v1beta20150505storage"
        ],
        "v1beta20150505storage": [
            "v1beta20160606storage"
        ],
        "v1beta20160606storage": [
            "v1beta20170707storage"
        ],
        "v1beta20170707storage": [
            "v1beta20180808storage"
        ],
        "v1beta20180808storage": [
            "v1beta20190909storage"
        ],
        "v1beta20190909storage": [
            "v1beta20201010storage"
        ],
        "v1beta20201010storage": [
            "v1beta20211111storage"
        ]
    }
}
