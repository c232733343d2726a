package hook

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/armature-dev/armature/cli/catalog/catalogtest"
	"github.com/armature-dev/armature/cli/program/programtest"
	"github.com/google/go-cmp/cmp"
)

// armature runs the command, and returns what it prints.
func armature(t *testing.T, arguments string) (string, error) {
	t.Helper()
	out, _, err := programtest.Run(t, "", strings.Fields("hook "+arguments), New(catalogtest.Read(t)))
	return out, err
}

func TestHook(t *testing.T) {
	const halves = `package v20200601storage

import "example.com/cache/v20201201storage"

// AssignToRedis_Spec ends the conversion to v20201201storage.Redis_Spec.
func (r *Redis_Spec) AssignToRedis_Spec(dst *v20201201storage.Redis_Spec) error {
	return nil
}

// AssignFromRedis_Spec ends the conversion from v20201201storage.Redis_Spec.
func (r *Redis_Spec) AssignFromRedis_Spec(src *v20201201storage.Redis_Spec) error {
	return nil
}

// AssignToRedis_Status ends the conversion to v20201201storage.Redis_Status.
func (r *Redis_Status) AssignToRedis_Status(dst *v20201201storage.Redis_Status) error {
	return nil
}

// AssignFromRedis_Status ends the conversion from v20201201storage.Redis_Status.
func (r *Redis_Status) AssignFromRedis_Status(src *v20201201storage.Redis_Status) error {
	return nil
}
`
	for _, test := range []struct{ behaviour, arguments, want string }{
		{"two versions have the hooks of Spec and Status", "Redis --between 2020-06-01 2020-12-01", halves},
		{"the order does not matter, nor whose names they are", "rds --between v20201201,2020-06-01", halves},
		{"storage versions may be named", "Redis --between v20200601storage v20201201storage", halves},
		{"another type became two", "Redis --between 2020-06-01 2020-12-01 --type RedisSku",
			`package v20200601storage

import "example.com/cache/v20201201storage"

// AssignToSku ends the conversion to v20201201storage.Sku.
func (r *RedisSku) AssignToSku(dst *v20201201storage.Sku) error {
	return nil
}

// AssignFromSku ends the conversion from v20201201storage.Sku.
func (r *RedisSku) AssignFromSku(src *v20201201storage.Sku) error {
	return nil
}

// AssignToShardSku ends the conversion to v20201201storage.ShardSku.
func (r *RedisSku) AssignToShardSku(dst *v20201201storage.ShardSku) error {
	return nil
}

// AssignFromShardSku ends the conversion from v20201201storage.ShardSku.
func (r *RedisSku) AssignFromShardSku(src *v20201201storage.ShardSku) error {
	return nil
}
`},
		{"an alias converts with the storage version of its twin", "Redis --between v1beta20200601 2020-06-01 --type Redis_Spec",
			`package v1beta20200601

import "example.com/cache/v20200601storage"

// AssignToRedis_Spec ends the conversion to v20200601storage.Redis_Spec.
func (r *Redis_Spec) AssignToRedis_Spec(dst *v20200601storage.Redis_Spec) error {
	return nil
}

// AssignFromRedis_Spec ends the conversion from v20200601storage.Redis_Spec.
func (r *Redis_Spec) AssignFromRedis_Spec(src *v20200601storage.Redis_Spec) error {
	return nil
}
`},
		{"what is written is left out", "Redis --between 2020-12-01 2021-06-01", `package v20201201storage

import "example.com/cache/v20210601storage"

// AssignFromRedis_Status ends the conversion from v20210601storage.Redis_Status.
func (r *Redis_Status) AssignFromRedis_Status(src *v20210601storage.Redis_Status) error {
	return nil
}
`},
		{"the list has the interfaces of all types", "Redis --between v20201201 v20201201storage --list", `package v20201201

import "example.com/cache/v20201201storage"

// assignableToRedis_Spec may be implemented by Redis_Spec.
type assignableToRedis_Spec interface {
	AssignToRedis_Spec(dst *v20201201storage.Redis_Spec) error
}

// assignableFromRedis_Spec may be implemented by Redis_Spec.
type assignableFromRedis_Spec interface {
	AssignFromRedis_Spec(src *v20201201storage.Redis_Spec) error
}

// assignableToRedis_Status may be implemented by Redis_Status.
type assignableToRedis_Status interface {
	AssignToRedis_Status(dst *v20201201storage.Redis_Status) error
}

// assignableFromRedis_Status may be implemented by Redis_Status.
type assignableFromRedis_Status interface {
	AssignFromRedis_Status(src *v20201201storage.Redis_Status) error
}
`},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			out, err := armature(t, test.arguments)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, out); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), "hook.go", out, parser.SkipObjectResolution); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("people are told where it belongs", func(t *testing.T) {
		_, told, err := programtest.Run(t, "", strings.Fields("hook Redis --between 2020-06-01 2020-12-01"), New(catalogtest.Read(t)))
		if err != nil {
			t.Fatal(err)
		}
		const want = "It belongs in a file such as apis/cache/augment/v20200601storage/redis.go, and apis/cache/BUILD.bazel has\n" +
			"    augment = glob([\"augment/**/*.go\"]),\n"
		if told != want {
			t.Errorf("got %q, want %q", told, want)
		}
	})
}

func TestHookErrors(t *testing.T) {
	for _, test := range []struct{ behaviour, arguments, want string }{
		{"versions that are not neighbours", "Redis --between 2020-06-01 2021-06-01",
			"--between: 2020-06-01 and 2021-06-01 of Redis do not convert with each other directly: " +
				"expected two that are side by side in v20200601, v20201201, v20210601"},
		{"an alias and a neighbour of its twin", "Redis --between v20201201 v1beta20200601",
			"expected two that are side by side in v20201201, v20200601, v1beta20200601"},
		{"one version by two names", "Redis --between 2020-06-01 v20200601", "--between: 2020-06-01 and v20200601 are one version"},
		{"unknown versions, of which all are told", "Redis --between 2020-06-02 v20200602",
			`Redis has no version 2020-06-02; did you mean "2020-06-01"?` + "\n--between: Redis has no version v20200602; did you mean"},
		{"one version", "Redis --between 2020-06-01", "--between: found 1 versions, expected two"},
		{"an unknown type", "Redis --between 2020-06-01 2020-12-01 --type RedisSuk",
			`v20200601storage has no type RedisSuk that converts with v20201201storage; did you mean "RedisSku"?`},
		{"hooks that are all written", "Redis --between 2020-12-01 2021-06-01 --type Redis_Spec", "the hooks of Redis_Spec are written"},
	} {
		t.Run(test.behaviour, func(t *testing.T) {
			out, err := armature(t, test.arguments)
			if err == nil || !strings.Contains(err.Error(), test.want) || out != "" {
				t.Errorf("got %q and the error %v, want %s", out, err, test.want)
			}
		})
	}
}
