"""Hubs and links of the group. Written by //apis/insights:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ActionGroup": {
            "hub": "v20230101storage",
            "versions": [
                "v20230101"
            ],
            "digests": {
                "v20230101": "f6c94576dd6f"
            }
        },
        "ActivityLogAlert": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "57dbc9a9380c"
            }
        },
        "DataCollectionEndpoint": {
            "hub": "v20240311storage",
            "versions": [
                "v20230311",
                "v20240311"
            ],
            "digests": {
                "v20230311": "c47d2cda46aa",
                "v20240311": "3585fea0661e"
            }
        },
        "DataCollectionRule": {
            "hub": "v20240311storage",
            "versions": [
                "v20230311",
                "v20240311"
            ],
            "digests": {
                "v20230311": "891ef3566235",
                "v20240311": "ec43edc5bfdc"
            }
        },
        "DataCollectionRuleAssociation": {
            "hub": "v20240311storage",
            "versions": [
                "v20230311",
                "v20240311"
            ],
            "digests": {
                "v20230311": "b9033d3459f8",
                "v20240311": "75f919c5076d"
            }
        },
        "MetricAlert": {
            "hub": "v20260101storage",
            "versions": [
                "v20260101"
            ],
            "digests": {
                "v20260101": "9f3cefd8581d"
            }
        },
        "ScheduledQueryRule": {
            "hub": "v20260301storage",
            "versions": [
                "v20231201",
                "v20260301"
            ],
            "digests": {
                "v20231201": "368f1cb35c72",
                "v20260301": "c2cfae6438b8"
            }
        },
        "WebTest": {
            "hub": "v20220615storage",
            "versions": [
                "v20220615"
            ],
            "digests": {
                "v20220615": "355f40093749"
            }
        },
        "Workbook": {
            "hub": "v20230601storage",
            "versions": [
                "v20220401",
                "v20230601"
            ],
            "digests": {
                "v20220401": "0c00fd0300a6",
                "v20230601": "0c00fd0300a6"
            }
        }
    },
    "links": {
        "v20220401storage": [
            "v20230601storage"
        ],
        "v20230311storage": [
            "v20240311storage"
        ],
        "v20231201storage": [
            "v20260301storage"
        ]
    },
    "names": {
        "WebTest": {
            "kind": "kind",
            "name": "armName",
            "properties/Kind": "propertiesKind",
            "properties/Name": "name"
        },
        "Workbook": {
            "properties/tags": "propertiesTags",
            "tags": "tags"
        }
    }
}
