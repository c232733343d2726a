"""Hubs and links of the group. Written by //apis/cognitiveservices:lock.update; do not edit."""

LOCK = {
    "resources": {
        "CognitiveServicesAccount": {
            "hub": "v20260701storage",
            "versions": [
                "v20260501",
                "v20260701"
            ],
            "digests": {
                "v20260501": "1f0a5181c330",
                "v20260701": "1f0a5181c330"
            }
        },
        "CognitiveServicesDeployment": {
            "hub": "v20260701storage",
            "versions": [
                "v20260501",
                "v20260701"
            ],
            "digests": {
                "v20260501": "eb315f6383c3",
                "v20260701": "eb315f6383c3"
            }
        },
        "CognitiveServicesProject": {
            "hub": "v20260701storage",
            "versions": [
                "v20260501",
                "v20260701"
            ],
            "digests": {
                "v20260501": "f537a8dfffbc",
                "v20260701": "f537a8dfffbc"
            }
        }
    },
    "links": {
        "v20260501storage": [
            "v20260701storage"
        ]
    }
}
