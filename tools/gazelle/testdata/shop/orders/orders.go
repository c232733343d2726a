package orders

import v1 "example.com/apis/shop/v20220101"

// Newest is written at the newest version.
type Newest = v1.Order
