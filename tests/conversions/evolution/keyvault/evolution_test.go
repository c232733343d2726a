package evolution_test

import (
	"testing"

	"github.com/armature-dev/armature/apis/keyvault/scheme"
	"github.com/armature-dev/armature/tests/conversions/evolution"
)

func TestEvolution(t *testing.T) { evolution.Check(t, "keyvault", scheme.AddToScheme) }
