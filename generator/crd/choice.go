package crd

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/armature-dev/armature/generator/naming"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// DefaultChoice is the choice of a release.
const DefaultChoice = "newest=2"

// Choice says which API versions of a kind to serve. A version that is not served is
// not in the CRD. It stays in the webhook, so that it can be served again at any time,
// and an operator can send it to ARM.
type Choice struct {
	all    bool
	former bool
	newest int
	named  []string // by Kubernetes or ARM
}

// ParseChoice parses a choice: "all", or a list of versions, in which "newest=2" stands
// for the newest two stable versions and the newest preview, if that is newer.
// Where a kind has no stable version, it stands for the newest two previews. After a
// move of the hub, the second is that of the former hub. "former" stands for the storage
// version of the former hub, at which the operator of the release before works.
func ParseChoice(text string) (Choice, error) {
	var c Choice
	for item := range strings.SplitSeq(text, ",") {
		number, isNewest := strings.CutPrefix(item, "newest=")
		n, err := strconv.Atoi(number)
		switch {
		case item == "all":
			c.all = true
		case item == "former":
			c.former = true
		case isNewest && err == nil && n >= 0 && c.newest == 0:
			c.newest = n
		case !isNewest && isVersion(item):
			c.named = append(c.named, item)
		default:
			return Choice{}, fmt.Errorf("cannot serve %q: expected all, or newest=2, former and versions such as v20210401 or "+
				"2021-04-01, with commas between them", text)
		}
	}
	return c, nil
}

func isVersion(text string) bool {
	_, err := naming.ParseVersion(text)
	return err == nil || regexp.MustCompile(`^v[a-z0-9]+$`).MatchString(text)
}

// Unknown returns the versions that a choice names and that no CRD has.
func (c Choice) Unknown(groups ...*Index) []string {
	return slices.DeleteFunc(slices.Clone(c.named), func(name string) bool {
		return slices.ContainsFunc(all(groups), func(s *Summary) bool {
			return slices.ContainsFunc(s.Versions, func(v Version) bool { return v.isNamed(name) })
		})
	})
}

// Serve returns what the CRD has with the versions of a choice. It keeps storage
// versions, without which objects could not be read, and the API versions of the hub and
// of the former hub, because operators refer to owners at them.
func (s *Summary) Serve(choice Choice) *Summary {
	chosen := *s
	chosen.Versions = nil
	newest := s.newest(choice.newest)
	for _, v := range s.Versions {
		if v.isLastHub() && !choice.all && !choice.former {
			v.Served = false
			longer := len("false") - len("true")
			v.Bytes, chosen.Bytes = v.Bytes+longer, chosen.Bytes+longer
		}
		isNamed := slices.ContainsFunc(choice.named, v.isNamed)
		if choice.all || v.IsStored() || s.servesStorageOf(v.Name) || slices.Contains(newest, v.Name) || isNamed {
			chosen.Versions = append(chosen.Versions, v)
		} else {
			chosen.Bytes -= v.Bytes + len(",")
		}
	}
	return &chosen
}

// isLastHub reports whether the version is the storage version of the former hub, which a
// group serves.
func (v Version) isLastHub() bool { return v.IsStored() && v.Served && !v.Storage }

// servesStorageOf reports whether the storage version of an API version is served.
func (s *Summary) servesStorageOf(name string) bool {
	return slices.ContainsFunc(s.Versions, func(v Version) bool { return v.Served && v.Name == apiversion.Storage(name) })
}

// Serve returns the index with the versions of a choice in each CRD.
func (x *Index) Serve(choice Choice) *Index {
	served := &Index{Group: x.Group}
	for _, s := range x.CRDs {
		served.CRDs = append(served.CRDs, s.Serve(choice))
	}
	return served
}

// newest returns the names of the newest n stable versions, and of the newest
// preview if that is newer. After a move of the hub, the version of the former hub
// takes the place of the last of several: it was the newest for the clients of the
// release before, and these had no other that is newer.
func (s *Summary) newest(n int) []string {
	if n == 0 {
		return nil
	}
	var stable, previews []Version
	for _, v := range s.Versions {
		switch arm, err := naming.ParseVersion(v.APIVersion); {
		case err != nil: // a storage version or an alias
		case arm.Preview():
			previews = append(previews, v)
		default:
			stable = append(stable, v)
		}
	}
	newestFirst := func(a, b Version) int { return naming.CompareVersions(b.APIVersion, a.APIVersion) }
	slices.SortFunc(stable, newestFirst)
	slices.SortFunc(previews, newestFirst)
	of := stable
	if len(stable) == 0 {
		of = previews
	}
	var newest []string
	for _, v := range of[:min(n, len(of))] {
		newest = append(newest, v.Name)
	}
	if former := s.former(); former != "" && n > 1 && !slices.Contains(newest, former) {
		newest = append(newest[:min(n-1, len(newest))], former)
	}
	if len(stable) > 0 && len(previews) > 0 && newestFirst(previews[0], stable[0]) < 0 {
		newest = append(newest, previews[0].Name)
	}
	return newest
}

// former returns the name of the API version whose storage version was the hub of the
// release before, or "".
func (s *Summary) former() string {
	for _, v := range s.Versions {
		if v.isLastHub() {
			name, _ := apiversion.CutStorage(v.Name)
			return name
		}
	}
	return ""
}

// isNamed reports whether a name is that of the version, in Kubernetes or in ARM.
func (v Version) isNamed(name string) bool {
	return !v.IsStored() && (name == v.Name || name == v.APIVersion)
}
