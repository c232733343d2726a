package v20200101storage

import (
	old "example.com/apis/shop/v20190101storage"
	next "example.com/apis/shop/v20210101storage"
)

func (c *Cart_Spec) AssignToCart_Sepc(dst *next.Cart_Spec) error { return nil }

func (c *Cart_Spec) AssignFromCart_Spec(src *old.Cart_Spec) error { return nil }

func (c *Crt_Status) AssignToCart_Status(dst *next.Cart_Status) error { return nil }

func (c *Cart_Status) AssignToCart_Status(dst *next.Cart_Status) {}

func (c *Cart) AssignToCart(dst *next.Cart) error { return nil }
