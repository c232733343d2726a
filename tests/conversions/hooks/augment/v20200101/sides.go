package v20200101

import storage "github.com/armature-dev/armature/tests/conversions/hooks/v20200101storage"

// AssignToTruck_Spec names the side for the driver.
func (t *Truck_Spec) AssignToTruck_Spec(dst *storage.Truck_Spec) error {
	dst.SteeringWheel = storage.OtherSide(t.SteeringWheel)
	return nil
}

// AssignFromTruck_Spec names the side for somebody in front of the truck.
func (t *Truck_Spec) AssignFromTruck_Spec(src *storage.Truck_Spec) error {
	t.SteeringWheel = storage.OtherSide(src.SteeringWheel)
	return nil
}

// AssignToTruck_Status names the side for the driver.
func (t *Truck_Status) AssignToTruck_Status(dst *storage.Truck_Status) error {
	dst.SteeringWheel = storage.OtherSide(t.SteeringWheel)
	return nil
}

// AssignFromTruck_Status names the side for somebody in front of the truck.
func (t *Truck_Status) AssignFromTruck_Status(src *storage.Truck_Status) error {
	t.SteeringWheel = storage.OtherSide(src.SteeringWheel)
	return nil
}
