package v20200101storage

// OtherSide returns right for left, left for right, and any other text as it is.
// Calling it twice gives what was there, so nothing is lost. The version
// 2020-01-01 names the sides for somebody in front of the truck; all that is
// stored names them for the driver.
func OtherSide(side *string) *string {
	if side == nil {
		return nil
	}
	other := *side
	switch *side {
	case "left":
		other = "right"
	case "right":
		other = "left"
	}
	return &other
}
