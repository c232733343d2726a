"""Hubs and links of the group. Written by `./bazelw run //apis/crm:lock.update`; do not edit."""

LOCK = {
    "resources": {},
    "links": {}
}
