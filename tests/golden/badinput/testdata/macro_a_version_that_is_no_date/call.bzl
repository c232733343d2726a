"""What a BUILD file gives the macro, and the message."""

CALL = {
    "versions": {
        "latest": ["specs/latest/shop.json"],
        "2020-1-1": ["specs/2020-1-1/shop.json"],
        "2021-02-30": ["specs/2021-02-30/shop.json"],
        "2021-13-01-preview": ["specs/2021-13-01-preview/shop.json"],
        "2020-01-01": ["specs/2020-01-01/shop.json"],
        "2020-01-01-preview": ["specs/2020-01-01-preview/shop.json"],
        "2020-01-01.json": ["specs/schema.json"],
    },
}

WANT = [
    '"latest" is not an ARM API version: expected a date such as 2020-06-01, or one with a suffix such as 2020-06-01-preview',
    '"2020-1-1" is not an ARM API version: expected a date such as 2020-06-01, or one with a suffix such as 2020-06-01-preview',
    '"2021-02-30" is not an ARM API version: there is no day 2021-02-30',
    '"2021-13-01-preview" is not an ARM API version: there is no day 2021-13-01',
    '"2020-01-01.json" is not an ARM API version: expected a date such as 2020-06-01, or one with a suffix such as 2020-06-01-preview',
]
