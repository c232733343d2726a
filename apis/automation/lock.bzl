"""Hubs and links of the group. Written by //apis/automation:lock.update; do not edit."""

LOCK = {
    "resources": {
        "AutomationAccount": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "879240e4f78d"
            }
        },
        "AutomationAccountCertificate": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "be19477a17e8"
            }
        },
        "AutomationAccountConnection": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "d5276e102151"
            }
        },
        "AutomationAccountCredential": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "0e1cd8b69cdb"
            }
        },
        "AutomationAccountJobSchedule": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "94f9f7d2a3c4"
            }
        },
        "AutomationAccountRunbook": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "8ddf0d054146"
            }
        },
        "AutomationAccountSchedule": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "a8fd722eab04"
            }
        },
        "AutomationAccountVariable": {
            "hub": "v20241023storage",
            "versions": [
                "v20241023"
            ],
            "digests": {
                "v20241023": "1c9267d3853a"
            }
        }
    },
    "links": {}
}
