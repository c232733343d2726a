package emit

import (
	"strings"
	"testing"
)

func TestACRDThatNoServerTakesIsAnError(t *testing.T) {
	big := node{"description": strings.Repeat("a", MaxCRDBytes)}
	err := checkSize("x_y.yaml", big, len(encodeYAML(big)))
	if err == nil || !strings.Contains(err.Error(), "x_y.yaml: the CRD has 1048594 bytes as JSON") {
		t.Errorf("got %v", err)
	}
	indented := node{"description": strings.Repeat("a", MaxCRDBytes-100)}
	if err := checkSize("x_y.yaml", indented, 2*MaxCRDBytes); err != nil {
		t.Errorf("the indents of YAML count: %v", err)
	}
}
