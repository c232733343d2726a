"""Hubs and links of the group. Written by //apis/network:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ApplicationGateway": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "ApplicationGatewayWebApplicationFirewallPolicy": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "ApplicationSecurityGroup": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "AzureFirewall": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "BastionHost": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "DdosProtectionPlan": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "DnsZone": {
            "hub": "v1beta20180501storage",
            "versions": [
                "v1beta20180501"
            ]
        },
        "FirewallPolicy": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "FirewallPolicyRuleCollectionGroup": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "FrontDoorWebApplicationFirewallPolicy": {
            "hub": "v1beta20251101storage",
            "versions": [
                "v1beta20201101",
                "v1beta20251001",
                "v1beta20251101"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "LoadBalancer": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "LoadBalancerInboundNatRule": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "NatGateway": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "NetworkInterface": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "NetworkSecurityGroup": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "NetworkSecurityGroupSecurityRule": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "NetworkWatcher": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "NetworkWatcherFlowLog": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "PrivateDnsZone": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20180901",
                "v1beta20240601"
            ],
            "former": [
                "v1beta20180901storage"
            ]
        },
        "PrivateDnsZoneVirtualNetworkLink": {
            "hub": "v1beta20240601storage",
            "versions": [
                "v1beta20180901",
                "v1beta20240601"
            ],
            "former": [
                "v1beta20180901storage"
            ]
        },
        "PrivateEndpoint": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "PrivateEndpointPrivateDnsZoneGroup": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "PrivateLinkService": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "PublicIPAddress": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "PublicIPPrefix": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "RouteTable": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "RouteTableRoute": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "TrafficManagerProfile": {
            "hub": "v1beta20180801storage",
            "versions": [
                "v1beta20180801"
            ]
        },
        "VirtualHubRouteTable": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "VirtualNetwork": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "VirtualNetworkGateway": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "VirtualNetworkPeering": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        },
        "VirtualNetworkSubnet": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "former": [
                "v1beta20201101storage"
            ]
        }
    },
    "links": {
        "v1beta20180801storage": [
            "v1beta20181101storage"
        ],
        "v1beta20180901storage": [
            "v1beta20240601storage"
        ],
        "v1beta20181101storage": [
            "v1beta20201101storage"
        ],
        "v1beta20201101storage": [
            "v1beta20250701storage",
            "v1beta20251001storage"
        ],
        "v1beta20250701storage": [
            "v1beta20250901storage"
        ],
        "v1beta20251001storage": [
            "v1beta20251101storage"
        ]
    }
}
