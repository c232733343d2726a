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
            "digests": {
                "v1beta20180801": "cd9355db00ac",
                "v1beta20181101": "6b6625e7e0f3",
                "v1beta20201101": "4b0d85aecdcb",
                "v1beta20250701": "9a8fb81f52ee",
                "v1beta20250901": "f675f5873565"
            },
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
            "digests": {
                "v1beta20201101": "cfa30b444fd1",
                "v1beta20250701": "c8c1b836779d",
                "v1beta20250901": "e43fa39e8254"
            },
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
            "digests": {
                "v1beta20180801": "80b7bb9a8e5e",
                "v1beta20181101": "80b7bb9a8e5e",
                "v1beta20201101": "80b7bb9a8e5e",
                "v1beta20250701": "80b7bb9a8e5e",
                "v1beta20250901": "80b7bb9a8e5e"
            },
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
            "digests": {
                "v1beta20180801": "65f0e6b1aa02",
                "v1beta20181101": "7fc7709b314f",
                "v1beta20201101": "d03623fe8f98",
                "v1beta20250701": "ce7753090b8d",
                "v1beta20250901": "ce7753090b8d"
            },
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
            "digests": {
                "v1beta20201101": "f9ed42052854",
                "v1beta20250701": "cae7811152d6",
                "v1beta20250901": "cae7811152d6"
            },
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
            "digests": {
                "v1beta20180801": "ae0d0f0a00d2",
                "v1beta20181101": "ae0d0f0a00d2",
                "v1beta20201101": "ae0d0f0a00d2",
                "v1beta20250701": "d12200bf6283",
                "v1beta20250901": "d12200bf6283"
            },
            "former": [
                "v1beta20201101storage"
            ]
        },
        "DnsZone": {
            "hub": "v1beta20180501storage",
            "versions": [
                "v1beta20180501"
            ],
            "digests": {
                "v1beta20180501": "ee43717d77f7"
            }
        },
        "FirewallPolicy": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "digests": {
                "v1beta20201101": "692d7ac44c04",
                "v1beta20250701": "fea14ee39802",
                "v1beta20250901": "f9fcd1e0d466"
            },
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
            "digests": {
                "v1beta20201101": "1cc9fbd950ce",
                "v1beta20250701": "59ceec57e6c2",
                "v1beta20250901": "5caf45fbc3b5"
            },
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
            "digests": {
                "v1beta20201101": "a299c08932de",
                "v1beta20251001": "5fd12d233efe",
                "v1beta20251101": "1964bec63ed1"
            },
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
            "digests": {
                "v1beta20180801": "550ad8fb4d2d",
                "v1beta20181101": "5ac51f2639dd",
                "v1beta20201101": "676912abd37f",
                "v1beta20250701": "51c9fc37adf9",
                "v1beta20250901": "db1040c3f603"
            },
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
            "digests": {
                "v1beta20180801": "4627870d651f",
                "v1beta20181101": "9e51fa74591e",
                "v1beta20201101": "2fe75be7b368",
                "v1beta20250701": "cf23dbfd22e2",
                "v1beta20250901": "e56d55e8bb60"
            },
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
            "digests": {
                "v1beta20201101": "5a2925ac578f",
                "v1beta20250701": "b1cb555d13e5",
                "v1beta20250901": "b1cb555d13e5"
            },
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
            "digests": {
                "v1beta20180801": "ebaf24c70e7b",
                "v1beta20181101": "e599fc001a10",
                "v1beta20201101": "47ae344b0838",
                "v1beta20250701": "eff5685f12b6",
                "v1beta20250901": "9998b43f1ad1"
            },
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
            "digests": {
                "v1beta20180801": "c819ec06c113",
                "v1beta20181101": "e71e99891bf2",
                "v1beta20201101": "ffb434a234ee",
                "v1beta20250701": "63a20030895b",
                "v1beta20250901": "308e67cc0f0e"
            },
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
            "digests": {
                "v1beta20180801": "ce3002b33d3d",
                "v1beta20181101": "ce3002b33d3d",
                "v1beta20201101": "4d1085fd5c25",
                "v1beta20250701": "3341748a5cd2",
                "v1beta20250901": "3341748a5cd2"
            },
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
            "digests": {
                "v1beta20180801": "be44587b81f3",
                "v1beta20181101": "be44587b81f3",
                "v1beta20201101": "2eb3d5a9ed73",
                "v1beta20250701": "2eb3d5a9ed73",
                "v1beta20250901": "2eb3d5a9ed73"
            },
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
            "digests": {
                "v1beta20201101": "d62a5d82c907",
                "v1beta20250701": "78afd02651d0",
                "v1beta20250901": "78afd02651d0"
            },
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
            "digests": {
                "v1beta20180901": "22d6be3d52a1",
                "v1beta20240601": "3077ccaaf448"
            },
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
            "digests": {
                "v1beta20180901": "6ef9f0af1694",
                "v1beta20240601": "a08746fe4405"
            },
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
            "digests": {
                "v1beta20201101": "576aa328b39a",
                "v1beta20250701": "9d0baec7934e",
                "v1beta20250901": "68b4c9cd59ef"
            },
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
            "digests": {
                "v1beta20201101": "37734d3a2259",
                "v1beta20250701": "11a4750eeeb0",
                "v1beta20250901": "11a4750eeeb0"
            },
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
            "digests": {
                "v1beta20201101": "57b719ec319b",
                "v1beta20250701": "34c7e5690d70",
                "v1beta20250901": "ce2405c8617d"
            },
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
            "digests": {
                "v1beta20180801": "e7471fe34c29",
                "v1beta20181101": "9bd3a33fcaa8",
                "v1beta20201101": "07c890e535d7",
                "v1beta20250701": "ccfbdcae3d68",
                "v1beta20250901": "9e162ce57d22"
            },
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
            "digests": {
                "v1beta20180801": "e17cb5e91ec2",
                "v1beta20181101": "e17cb5e91ec2",
                "v1beta20201101": "ec6b35bad001",
                "v1beta20250701": "8be2a18c321a",
                "v1beta20250901": "bca094fc4570"
            },
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
            "digests": {
                "v1beta20180801": "97e9f6b2c20f",
                "v1beta20181101": "6503a71a1c73",
                "v1beta20201101": "f6061380d0cf",
                "v1beta20250701": "31cb1d4d4e99",
                "v1beta20250901": "b6af51e1c350"
            },
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
            "digests": {
                "v1beta20180801": "4ab6276f7e77",
                "v1beta20181101": "4ab6276f7e77",
                "v1beta20201101": "6f2d7f3bde0a",
                "v1beta20250701": "ebf9a7d222e2",
                "v1beta20250901": "ebf9a7d222e2"
            },
            "former": [
                "v1beta20201101storage"
            ]
        },
        "TrafficManagerProfile": {
            "hub": "v1beta20180801storage",
            "versions": [
                "v1beta20180801"
            ],
            "digests": {
                "v1beta20180801": "5fb6182bcf58"
            }
        },
        "VirtualHubRouteTable": {
            "hub": "v1beta20250901storage",
            "versions": [
                "v1beta20201101",
                "v1beta20250701",
                "v1beta20250901"
            ],
            "digests": {
                "v1beta20201101": "dadf75475bc4",
                "v1beta20250701": "4c056922f6b5",
                "v1beta20250901": "4c056922f6b5"
            },
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
            "digests": {
                "v1beta20180801": "af8145d2ae04",
                "v1beta20181101": "37a6e78aa1b5",
                "v1beta20201101": "354a18546792",
                "v1beta20250701": "42a9f6a3e337",
                "v1beta20250901": "39973653b0a5"
            },
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
            "digests": {
                "v1beta20180801": "6a876882619b",
                "v1beta20181101": "6a876882619b",
                "v1beta20201101": "e0d6a7a0a87d",
                "v1beta20250701": "42040dcbeff2",
                "v1beta20250901": "42040dcbeff2"
            },
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
            "digests": {
                "v1beta20180801": "2f4f8ac41e52",
                "v1beta20181101": "2f4f8ac41e52",
                "v1beta20201101": "703859022dce",
                "v1beta20250701": "3112ff0d02f6",
                "v1beta20250901": "3112ff0d02f6"
            },
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
            "digests": {
                "v1beta20180801": "2ee77d19d707",
                "v1beta20181101": "dc7ccb4b29d4",
                "v1beta20201101": "ea0e57fe31de",
                "v1beta20250701": "288cd2324a07",
                "v1beta20250901": "80b8ac8aef71"
            },
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
