package v20210101alpha1storage

import next "github.com/armature-dev/armature/rules/tests/group/v20200101storage"

// AssignToCart_Spec changes nothing.
func (c *Cart_Spec) AssignToCart_Spec(*next.Cart_Spec) error { return nil }
