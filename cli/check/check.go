// Package check is the command armature check, which judges the upgrade from one
// release to another by their folders, and that of a cluster. Its main type is [Finding].
package check

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/armature-dev/armature/cli/cluster"
	"github.com/armature-dev/armature/cli/program"
	"github.com/armature-dev/armature/generator/diag"
)

// checking is a run of the command.
type checking struct {
	format program.Format
	allow  []string
	// cluster returns the cluster to look at, or is nil.
	cluster func() (*cluster.Cluster, error)
}

// New returns the command.
func New() *cobra.Command {
	s := &checking{}
	var of cluster.Flags
	inCluster := false
	c := &cobra.Command{
		Use:   "check [OLD] NEW",
		Short: "Judge the upgrade from one release to another",
		Long: `Judge the upgrade from one release to another: what it breaks, which steps it takes, and whether the way back is safe.

OLD and NEW are folders that targets of arm_release have made. With --cluster it also looks at the cluster in which NEW is to
be installed, or at that alone, without OLD: whether its version is new enough, whether it has the kinds of all that is
installed, cert-manager's among them, whether the caller has the rights, whether CRDs of others are in the way, whether
objects are stored at versions that NEW lacks, and whether the API server accepts each CRD, in a dry run. It changes
nothing. docs/check.md says for each code what it means and what to do.

The status is 0 if nothing breaks, 1 if it could not compare, and 2 if something breaks.`,
		Example: `  armature check old/release release
  armature check old/release release --output json
  armature check release --cluster
  armature check old/release release --allow property-gone`,
		Args: func(cmd *cobra.Command, args []string) error {
			if inCluster {
				return cobra.RangeArgs(1, 2)(cmd, args)
			}
			return cobra.ExactArgs(2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if inCluster {
				s.cluster = of.Cluster
			}
			return s.run(cmd, args)
		},
	}
	s.format.AddTo(c)
	flags := c.Flags()
	flags.StringSliceVar(&s.allow, "allow", nil, "`CODES` of findings that somebody has assessed: they break nothing")
	flags.BoolVar(&inCluster, "cluster", false, "look at the cluster in which NEW is to be installed")
	of.AddTo(c)
	return c
}

func (s *checking) run(cmd *cobra.Command, folders []string) error {
	if err := checkCodes(s.allow); err != nil {
		return err
	}
	var errs diag.List
	var all []*release
	for _, folder := range folders {
		r, err := readRelease(folder)
		errs.Merge(err)
		all = append(all, r)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	after, compares := all[len(all)-1], len(all) == 2
	var findings []Finding
	if compares {
		findings = compare(all[0], after)
	}
	if s.cluster != nil {
		of, err := s.cluster()
		if err != nil {
			return err
		}
		found, err := compareCluster(cmd.Context(), of, after)
		if err != nil {
			return err
		}
		findings = merge(findings, found)
	}
	for i := range findings {
		if slices.Contains(s.allow, findings[i].Code) {
			findings[i].Level = allowed
		}
	}
	r := newReport(findings, compares)
	table := func(out io.Writer) error { return printTable(out, r) }
	if err := s.format.Print(cmd.OutOrStdout(), r, table); err != nil {
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
		"run armature migrate with the release that is installed, and then it may go; or keep the version under former in lock.bzl"}
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
	serverVersion = code{"server-version", step,
		"upgrade the cluster, or read in docs/policies.md what does without admission policies, and allow the code"}
	rightsMissing = code{"rights", breaks,
		"let a cluster administrator apply the release, or bind a role with these rights"}
	kindMissing = code{"kind-missing", breaks,
		"install what brings the kind, or upgrade the cluster"}
	certificateMissing = code{"cert-manager", step,
		"install cert-manager before the release; or take the certificate of the webhook from elsewhere, as release/README.md says: " +
			"then apply the folders of ca-bundle, or the chart with certManager=false"}
	nameTaken = code{"name-taken", breaks,
		"remove the other CRD, or install the release without the group: armature serve --groups chooses"}
	nameShared = code{"name-shared", step,
		"name the group in commands and scripts, as in kubectl get redis.cache.azure.armature.dev: without it, kubectl may mean the other"}
	tooLarge = code{"too-large", breaks,
		"serve fewer versions of the kind with armature serve"}
	refused = code{"refused", breaks,
		"do as the message says; a policy of served versions asks for armature serve"}
	wayBack = code{"way-back", step,
		"go back with the commands of docs/upgrades.md"}
)

var codes = []code{kindGone, kindChanged, storedLost, propertyGone, requiredAdded, schemaNarrowed, defaultChanged, versionGone, aliasGoes,
	changeProposed, memory, docsGone, policyChanged, webhookMoved, hubMoved, serverVersion, rightsMissing, kindMissing,
	certificateMissing, nameTaken, nameShared, tooLarge,
	refused, wayBack}
