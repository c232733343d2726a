"""Hubs and links of the group. Written by //apis/network:lock.update; do not edit."""

LOCK = {
    "resources": {
        "ApplicationGateway": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "1e04701db664",
                "v20181101": "84ccde2386c5",
                "v20201101": "c99e9ba4a611",
                "v20250701": "b1e4b9dab388",
                "v20250901": "1cfa087a478c"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "ApplicationGatewayWebApplicationFirewallPolicy": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "394bc43b3ad3",
                "v20250701": "c8c1b836779d",
                "v20250901": "e43fa39e8254"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "ApplicationSecurityGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "80b7bb9a8e5e",
                "v20181101": "80b7bb9a8e5e",
                "v20201101": "80b7bb9a8e5e",
                "v20250701": "80b7bb9a8e5e",
                "v20250901": "80b7bb9a8e5e"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "AzureFirewall": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "65f0e6b1aa02",
                "v20181101": "7fc7709b314f",
                "v20201101": "d03623fe8f98",
                "v20250701": "ce7753090b8d",
                "v20250901": "ce7753090b8d"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "BastionHost": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "f9ed42052854",
                "v20250701": "cae7811152d6",
                "v20250901": "cae7811152d6"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "DdosProtectionPlan": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "ae0d0f0a00d2",
                "v20181101": "ae0d0f0a00d2",
                "v20201101": "ae0d0f0a00d2",
                "v20250701": "d12200bf6283",
                "v20250901": "d12200bf6283"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "DnsForwardingRuleset": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "69e93bbad470",
                "v20250501": "69e93bbad470"
            }
        },
        "DnsForwardingRulesetForwardingRule": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "12111af0aacc",
                "v20250501": "7419ac8c76d5"
            }
        },
        "DnsForwardingRulesetVirtualNetworkLink": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "daed76fb4931",
                "v20250501": "daed76fb4931"
            }
        },
        "DnsResolver": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "753273913aaf",
                "v20250501": "753273913aaf"
            }
        },
        "DnsResolverInboundEndpoint": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "37e96d64ab1c",
                "v20250501": "0d8d16f9e510"
            }
        },
        "DnsResolverOutboundEndpoint": {
            "hub": "v20250501storage",
            "versions": [
                "v20220701",
                "v20250501"
            ],
            "digests": {
                "v20220701": "790772d15a51",
                "v20250501": "790772d15a51"
            }
        },
        "DnsZone": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "0235efdb5aea",
                "v20180501": "dc6b6cae57f6"
            }
        },
        "DnsZoneAAAARecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "2abcece4125e",
                "v20180501": "c3a1510056a7"
            }
        },
        "DnsZoneARecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "1837e15d2efe",
                "v20180501": "89e11f23d4c8"
            }
        },
        "DnsZoneCAARecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "43f342ec448d",
                "v20180501": "6f7b972bb896"
            }
        },
        "DnsZoneCNAMERecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "95d6079d8ab9",
                "v20180501": "25decdb3e95d"
            }
        },
        "DnsZoneMXRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "e9d663081dfd",
                "v20180501": "d3bf2b2bc708"
            }
        },
        "DnsZoneNSRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "53afc1d8e3c0",
                "v20180501": "a48e398ba6e5"
            }
        },
        "DnsZonePTRRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "cf9f3ef6b378",
                "v20180501": "c55c12716e0b"
            }
        },
        "DnsZoneSRVRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "779bfb1a8fe0",
                "v20180501": "439595ae1759"
            }
        },
        "DnsZoneTXTRecord": {
            "hub": "v20180501storage",
            "versions": [
                "v20171001",
                "v20180501"
            ],
            "digests": {
                "v20171001": "fc11528dc4ab",
                "v20180501": "d348e65901ab"
            }
        },
        "FirewallPolicy": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "9ef3c6bfaa4b",
                "v20250701": "0412c6de2553",
                "v20250901": "76571c441705"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "FirewallPolicyRuleCollectionGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "1cc9fbd950ce",
                "v20250701": "59ceec57e6c2",
                "v20250901": "5caf45fbc3b5"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "FrontDoorWebApplicationFirewallPolicy": {
            "hub": "v20251101storage",
            "versions": [
                "v20201101",
                "v20240201",
                "v20251001",
                "v20251101"
            ],
            "digests": {
                "v20201101": "87b4d4def1a1",
                "v20240201": "d935206af339",
                "v20251001": "d653820ded16",
                "v20251101": "62ede40151d8"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "LoadBalancer": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "58dc4d735d88",
                "v20181101": "a59def3c5fa5",
                "v20201101": "153a07b4c78f",
                "v20250701": "ea9745857f93",
                "v20250901": "577a2cf8dca4"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "LoadBalancerInboundNatRule": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "73979acdf0cc",
                "v20181101": "2d768e835e31",
                "v20201101": "08c1e8b340da",
                "v20250701": "cf23dbfd22e2",
                "v20250901": "e56d55e8bb60"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NatGateway": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "5a2925ac578f",
                "v20250701": "b1cb555d13e5",
                "v20250901": "b1cb555d13e5"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkInterface": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "e4d9cf8125c2",
                "v20181101": "7b325765e800",
                "v20201101": "4d23da75cd7d",
                "v20250701": "32435af917d3",
                "v20250901": "8faa0f3d3554"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkSecurityGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "d754d3da7223",
                "v20181101": "6cdd31a6fbd0",
                "v20201101": "523887647f19",
                "v20250701": "2c0805f8bb1f",
                "v20250901": "4cfba649b49a"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkSecurityGroupSecurityRule": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "7a68d0c89d15",
                "v20181101": "7a68d0c89d15",
                "v20201101": "4d1085fd5c25",
                "v20250701": "3341748a5cd2",
                "v20250901": "3341748a5cd2"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkWatcher": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "2eb3d5a9ed73",
                "v20181101": "2eb3d5a9ed73",
                "v20201101": "2eb3d5a9ed73",
                "v20250701": "2eb3d5a9ed73",
                "v20250901": "2eb3d5a9ed73"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "NetworkWatcherFlowLog": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "bf9b2232430f",
                "v20250701": "e741720d27e5",
                "v20250901": "e741720d27e5"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PrivateDnsZone": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "651273a7fc40",
                "v20200601": "e3cc805e0daa",
                "v20240601": "d08cbf2fb976"
            },
            "former": [
                "v20180901storage"
            ]
        },
        "PrivateDnsZoneAAAARecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "bdb07e0a11cb",
                "v20200601": "44a9194f852d",
                "v20240601": "901ffda72c0c"
            }
        },
        "PrivateDnsZoneARecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "867f8aeab2b3",
                "v20200601": "c665ac7ff04d",
                "v20240601": "07a418946e2a"
            }
        },
        "PrivateDnsZoneCNAMERecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "5d9627856e29",
                "v20200601": "bbbbdf016ab7",
                "v20240601": "b87852382df4"
            }
        },
        "PrivateDnsZoneMXRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "a32e3851a63d",
                "v20200601": "fd841b2d9441",
                "v20240601": "c7303ec93d47"
            }
        },
        "PrivateDnsZonePTRRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "1f75391523ea",
                "v20200601": "3bf323e46384",
                "v20240601": "f92d2c5ac0cd"
            }
        },
        "PrivateDnsZoneSRVRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "9b933dd00eec",
                "v20200601": "22c45ee1becb",
                "v20240601": "1aa22ef60964"
            }
        },
        "PrivateDnsZoneTXTRecord": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "7c512d178530",
                "v20200601": "b2db78e822f1",
                "v20240601": "d6cb9c4f3384"
            }
        },
        "PrivateDnsZoneVirtualNetworkLink": {
            "hub": "v20240601storage",
            "versions": [
                "v20180901",
                "v20200601",
                "v20240601"
            ],
            "digests": {
                "v20180901": "54dcf81b656f",
                "v20200601": "54dcf81b656f",
                "v20240601": "b759b60efdbc"
            },
            "former": [
                "v20180901storage"
            ]
        },
        "PrivateEndpoint": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "92a4f5bbaaa8",
                "v20250701": "a52f4c1a701a",
                "v20250901": "82061913d1b2"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PrivateEndpointPrivateDnsZoneGroup": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "37734d3a2259",
                "v20250701": "11a4750eeeb0",
                "v20250901": "11a4750eeeb0"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PrivateLinkService": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "f782d3c68acd",
                "v20250701": "5d1b8cc12ccb",
                "v20250901": "6b5a82cb03ce"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PublicIPAddress": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "b5f8f1cc0560",
                "v20181101": "c0a4314791f6",
                "v20201101": "5d7b72a8abf0",
                "v20250701": "89d9aedc20ae",
                "v20250901": "7fb71a7a0a48"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "PublicIPPrefix": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "827a03f296d9",
                "v20181101": "827a03f296d9",
                "v20201101": "ec6b35bad001",
                "v20250701": "8be2a18c321a",
                "v20250901": "bca094fc4570"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "RouteTable": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "f6055732195a",
                "v20181101": "b14096db85a4",
                "v20201101": "06eab8cda116",
                "v20250701": "ef171cfa9ecb",
                "v20250901": "29296b59a0c8"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "RouteTableRoute": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "6b03088651e9",
                "v20181101": "6b03088651e9",
                "v20201101": "8c1308b53c96",
                "v20250701": "7b8ce3f13673",
                "v20250901": "7b8ce3f13673"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "TrafficManagerProfile": {
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "77154016148a",
                "v20220401": "8fabfb5b2926"
            },
            "former": [
                "v20180801storage"
            ]
        },
        "TrafficManagerProfileAzureEndpoint": {
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "b015e8e8aa3e",
                "v20220401": "51d668249df8"
            }
        },
        "TrafficManagerProfileExternalEndpoint": {
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "de74c0e5c4a4",
                "v20220401": "a12f0b44e52f"
            }
        },
        "TrafficManagerProfileNestedEndpoint": {
            "hub": "v20220401storage",
            "versions": [
                "v20180801",
                "v20220401"
            ],
            "digests": {
                "v20180801": "d83ec03e0b0e",
                "v20220401": "64f3138e9e86"
            }
        },
        "VirtualHubRouteTable": {
            "hub": "v20250901storage",
            "versions": [
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20201101": "dadf75475bc4",
                "v20250701": "4c056922f6b5",
                "v20250901": "4c056922f6b5"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetwork": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "5af53b0868cd",
                "v20181101": "eee810d0a4f6",
                "v20201101": "c61fe99a02de",
                "v20250701": "9a50f6d613b4",
                "v20250901": "6cb3cd1223cf"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetworkGateway": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "635095c25eba",
                "v20181101": "635095c25eba",
                "v20201101": "e0d6a7a0a87d",
                "v20250701": "22a4727a4b79",
                "v20250901": "22a4727a4b79"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetworkPeering": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "c602fb911ebc",
                "v20181101": "c602fb911ebc",
                "v20201101": "703859022dce",
                "v20250701": "3112ff0d02f6",
                "v20250901": "3112ff0d02f6"
            },
            "former": [
                "v20201101storage"
            ]
        },
        "VirtualNetworkSubnet": {
            "hub": "v20250901storage",
            "versions": [
                "v20180801",
                "v20181101",
                "v20201101",
                "v20250701",
                "v20250901"
            ],
            "digests": {
                "v20180801": "c73b464216a4",
                "v20181101": "addc4b70aa78",
                "v20201101": "785e222b3a15",
                "v20250701": "a6094a0904a3",
                "v20250901": "9bb962f0c0e1"
            },
            "former": [
                "v20201101storage"
            ]
        }
    },
    "links": {
        "v20171001storage": [
            "v20180501storage"
        ],
        "v20180801storage": [
            "v20181101storage",
            "v20220401storage"
        ],
        "v20180901storage": [
            "v20200601storage"
        ],
        "v20181101storage": [
            "v20201101storage"
        ],
        "v20200601storage": [
            "v20240601storage"
        ],
        "v20201101storage": [
            "v20240201storage",
            "v20250701storage"
        ],
        "v20220701storage": [
            "v20250501storage"
        ],
        "v20240201storage": [
            "v20251001storage"
        ],
        "v20250701storage": [
            "v20250901storage"
        ],
        "v20251001storage": [
            "v20251101storage"
        ]
    }
}
