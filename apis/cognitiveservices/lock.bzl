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
                "v20260501": "b3c1d4fe23ba",
                "v20260701": "b3c1d4fe23ba"
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
                "v20260501": "9f8232b6356e",
                "v20260701": "9f8232b6356e"
            }
        }
    },
    "links": {
        "v20260501storage": [
            "v20260701storage"
        ]
    }
}
