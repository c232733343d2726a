// Package checking is the command armature check, which judges the upgrade from one
// release to another by their folders. Its main type is [Finding].
package checking

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/generator/diag"
	"github.com/armature-dev/armature/tools/armature/program"
)

// checking is a run of the command.
type checking struct {
	format program.Format
	allow  []string
}

// New returns the command.
func New() *cobra.Command {
	s := &checking{}
	c := &cobra.Command{
		Use:   "check OLD NEW",
		Short: "Judge the upgrade from one release to another",
		Long: `Judge the upgrade from one release to another: what it breaks, which steps it takes, and whether the way back is safe.

OLD and NEW are folders that targets of arm_release have made. It looks at nothing else: not at a cluster, and not at sources.
docs/check.md says for each code what it means and what to do.

The status is 0 if nothing breaks, 1 if it could not compare, and 2 if something breaks.`,
		Example: `  armature check old/release release
  armature check old/release release --output json
  armature check old/release release --allow property-gone`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return s.run(cmd, args[0], args[1]) },
	}
	s.format.AddTo(c)
	flags := c.Flags()
	flags.StringSliceVar(&s.allow, "allow", nil, "`CODES` of findings that somebody has assessed: they break nothing")
	return c
}

func (s *checking) run(cmd *cobra.Command, oldFolder, newFolder string) error {
	if err := checkCodes(s.allow); err != nil {
		return err
	}
	var errs diag.List
	before, err := readRelease(oldFolder)
	errs.Merge(err)
	after, err := readRelease(newFolder)
	errs.Merge(err)
	if err := errs.Err(); err != nil {
		return err
	}
	findings := compare(before, after)
	for i := range findings {
		if slices.Contains(s.allow, findings[i].Code) {
			findings[i].Level = allowed
		}
	}
	table := func(out io.Writer) error { return printTable(out, findings) }
	if err := s.format.Print(cmd.OutOrStdout(), newReport(findings), table); err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f Finding) bool { return f.Level == breaks }) {
		return program.ErrLook
	}
	return nil
}

// checkCodes returns an error if one of the names is not that of a code.
func checkCodes(names []string) error {
	var errs diag.List
	var known []string
	for _, c := range codes {
		known = append(known, c.name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			errs.Addf("", 0, 0, "--allow: no code is %s%s; there are %s", name, diag.DidYouMean(name, known), strings.Join(known, ", "))
		}
	}
	return errs.Err()
}

// Finding is something that a person should know before an upgrade.
type Finding struct {
	// Code is one of those in docs/check.md.
	Code string `json:"code"`
	// Level says whom it stops: "breaks" somebody, is a "step" of the upgrade, or was
	// "allowed" by the caller.
	Level string `json:"level"`
	// Group is the API group, and Kind the kind, or "" for all kinds of the group.
	Group string `json:"group"`
	Kind  string `json:"kind,omitempty"`
	// Version is the version that it is about, or "".
	Version string `json:"version,omitempty"`
	// Path is the property, such as spec.rules[].name, or "".
	Path string `json:"path,omitempty"`
	// Message says what was found.
	Message string `json:"message"`
	// Do says what to do about it.
	Do string `json:"do"`
}

// Levels of findings.
const (
	breaks  = "breaks"
	step    = "step"
	allowed = "allowed"
)

// code is a kind of findings.
type code struct{ name, level, do string }

// The codes, in the order of the table.
var (
	kindGone = code{"kind-gone", breaks,
		"keep the kind or the group; if nothing uses it, delete its objects and then its CRD, and allow the code"}
	kindChanged = code{"kind-changed", breaks,
		"keep the names and the scope: an API server refuses another scope, and clients use the names"}
	storedLost = code{"stored-lost", breaks,
		"keep the version under former in lock.bzl; if no object is stored at it, see docs/upgrades.md on former storage versions"}
	versionGone = code{"version-gone", step,
		"before the CRDs are applied, run armature serve with the new release, which looks for users of the version"}
	propertyGone = code{"property-gone", breaks,
		"keep the property: a published API version does not change; another shape belongs into a new version"}
	requiredAdded = code{"required-added", breaks,
		"leave the property optional: manifests and stored objects without it would be refused"}
	schemaNarrowed = code{"schema-narrowed", breaks,
		"accept what was accepted: manifests and stored objects would be refused"}
	defaultChanged = code{"default-changed", breaks,
		"keep the default: objects that do not set the property would change"}
	changeProposed = code{"change-proposed", step,
		"read the two specs, and move the entry from proposedChanges to changes in group.yaml, as what it is: renamed, moved or removed"}
	policyChanged = code{"policy-changed", step,
		"read the policy: it comes with the CRDs, and may refuse what clients do today, or allow what it refused"}
	hubMoved = code{"hub-moved", step,
		"replace the webhook before the CRDs, and keep it when you go back; see docs/upgrades.md"}
	webhookMoved = code{"webhook-moved", step,
		"install the new webhook beside the old one, and remove the old one after the CRDs of all groups have been replaced"}
	aliasGoes = code{"alias-goes", step,
		"move manifests and clients to the version that its deprecation names; armature serve with the later release finds its users"}
	memory = code{"memory", step,
		"install fewer groups, or serve fewer versions; docs/upgrades.md says what they cost"}
	docsGone = code{"docs-gone", step,
		"build the release where the published specs are, if people use kubectl explain; see docs/build.md on published specs"}
	wayBack = code{"way-back", step,
		"before you go back, do as docs/upgrades.md says under recovery"}
)

var codes = []code{kindGone, kindChanged, storedLost, propertyGone, requiredAdded, schemaNarrowed, defaultChanged, versionGone, aliasGoes,
	changeProposed, memory, docsGone, policyChanged, webhookMoved, hubMoved, wayBack}
