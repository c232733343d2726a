package main

import (
	"testing"

	"github.com/armature-dev/armature/generator/cmd/internal/golden"
)

func TestMain(m *testing.M) { golden.Main(m, main) }

func TestCases(t *testing.T) { golden.Test(t) }
