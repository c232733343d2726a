package v20200101storage

import (
	"math"

	"github.com/armature-dev/armature/runtime/propertybag"
	next "github.com/armature-dev/armature/tests/conversions/hooks/v20210101storage"
)

// AssignToTank measures in cubic meters, as the next version does.
func (t *Tank) AssignToTank(dst *next.Tank) error {
	assignTo(t.Litres, &dst.CubicMeters, &dst.PropertyBag)
	return nil
}

// AssignFromTank measures in litres.
func (t *Tank) AssignFromTank(src *next.Tank) error {
	assignFrom(&t.Litres, src.CubicMeters, &t.PropertyBag)
	return nil
}

// AssignToTank_Status measures in cubic meters, as the next version does.
func (t *Tank_Status) AssignToTank_Status(dst *next.Tank_Status) error {
	assignTo(t.Litres, &dst.CubicMeters, &dst.PropertyBag)
	return nil
}

// AssignFromTank_Status measures in litres.
func (t *Tank_Status) AssignFromTank_Status(src *next.Tank_Status) error {
	assignFrom(&t.Litres, src.CubicMeters, &t.PropertyBag)
	return nil
}

// assignTo sets cubic meters. The way back computes the litres, so the bag need
// not keep them.
func assignTo(litres *int64, cubicMeters **float64, bag *propertybag.Bag) {
	if m, ok := inCubicMeters(litres); ok {
		*cubicMeters = &m
		bag.Forget("litres", "2020-01-01")
	}
}

// assignFrom sets litres.
func assignFrom(litres **int64, cubicMeters *float64, bag *propertybag.Bag) {
	if l, ok := inLitres(cubicMeters); ok {
		*litres = &l
		bag.Forget("cubicMeters", "2021-01-01")
	}
}

// inCubicMeters converts litres, and reports whether the way back gives the
// same. Where it does not, the bag keeps the value.
func inCubicMeters(litres *int64) (float64, bool) {
	if litres == nil {
		return 0, false
	}
	m := float64(*litres) / 1000
	back, ok := inLitres(&m)
	return m, ok && back == *litres
}

func inLitres(cubicMeters *float64) (int64, bool) {
	if cubicMeters == nil {
		return 0, false
	}
	l := int64(math.Round(*cubicMeters * 1000))
	return l, float64(l)/1000 == *cubicMeters
}
