package evolution_test

import (
	"testing"

	"github.com/armature-dev/armature/apis/dbformysql/scheme"
	"github.com/armature-dev/armature/tests/conversions/evolution"
)

func TestEvolution(t *testing.T) { evolution.Check(t, "dbformysql", scheme.AddToScheme) }
