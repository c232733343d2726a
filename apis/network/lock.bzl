"""Hubs and links of the group. Written by `./bazelw run //apis/network:lock.update`; do not edit."""

LOCK = {
    "resources": {
        "ApplicationGateway": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "ApplicationGatewayWebApplicationFirewallPolicy": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "ApplicationSecurityGroup": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "AzureFirewall": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "BastionHost": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "DdosProtectionPlan": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "DnsZone": {
            "hub": "v1beta20180501storage",
            "versions": [
                "v1beta20180501"
            ]
        },
        "FirewallPolicy": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "FirewallPolicyRuleCollectionGroup": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "FrontDoorWebApplicationFirewallPolicy": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "LoadBalancer": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "LoadBalancerInboundNatRule": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "NatGateway": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "NetworkInterface": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "NetworkSecurityGroup": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "NetworkSecurityGroupSecurityRule": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "NetworkWatcher": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "NetworkWatcherFlowLog": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "PrivateDnsZone": {
            "hub": "v1beta20180901storage",
            "versions": [
                "v1beta20180901"
            ]
        },
        "PrivateDnsZoneVirtualNetworkLink": {
            "hub": "v1beta20180901storage",
            "versions": [
                "v1beta20180901"
            ]
        },
        "PrivateEndpoint": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "PrivateEndpointPrivateDnsZoneGroup": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "PrivateLinkService": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "PublicIPAddress": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "PublicIPPrefix": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "RouteTable": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "RouteTableRoute": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "TrafficManagerProfile": {
            "hub": "v1beta20180801storage",
            "versions": [
                "v1beta20180801"
            ]
        },
        "VirtualHubRouteTable": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20201101"
            ]
        },
        "VirtualNetwork": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "VirtualNetworkGateway": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "VirtualNetworkPeering": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        },
        "VirtualNetworkSubnet": {
            "hub": "v1beta20201101storage",
            "versions": [
                "v1beta20180801",
                "v1beta20181101",
                "v1beta20201101"
            ]
        }
    },
    "links": {
        "v1beta20180801storage": [
            "v1beta20181101storage"
        ],
        "v1beta20181101storage": [
            "v1beta20201101storage"
        ]
    },
    "sources": {
        "v1beta20180501": "swagger",
        "v1beta20180801": "swagger",
        "v1beta20180901": "swagger",
        "v1beta20181101": "swagger",
        "v1beta20201101": "swagger"
    }
}
