"""Hubs and links of the group. Written by //apis/communication:lock.update; do not edit."""

LOCK = {
    "resources": {
        "CommunicationService": {
            "hub": "v20260318storage",
            "versions": [
                "v20250901",
                "v20260318"
            ],
            "digests": {
                "v20250901": "c8b6c0ab4b6a",
                "v20260318": "c8b6c0ab4b6a"
            }
        },
        "EmailService": {
            "hub": "v20260318storage",
            "versions": [
                "v20250901",
                "v20260318"
            ],
            "digests": {
                "v20250901": "5ec63559087e",
                "v20260318": "5ec63559087e"
            }
        },
        "EmailServiceDomain": {
            "hub": "v20260318storage",
            "versions": [
                "v20250901",
                "v20260318"
            ],
            "digests": {
                "v20250901": "9227c1dd15ae",
                "v20260318": "9227c1dd15ae"
            }
        },
        "SenderUsername": {
            "hub": "v20260318storage",
            "versions": [
                "v20250901",
                "v20260318"
            ],
            "digests": {
                "v20250901": "eac98c316cd9",
                "v20260318": "eac98c316cd9"
            }
        }
    },
    "links": {
        "v20250901storage": [
            "v20260318storage"
        ]
    }
}
