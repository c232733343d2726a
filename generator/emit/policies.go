package emit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
	"github.com/armature-dev/armature/generator/plan"
	"github.com/armature-dev/armature/generator/plan/lock"
	"github.com/armature-dev/armature/runtime/apiversion"
)

// PoliciesSuffix ends the name of the file in a group's CRD folder that has the
// group's admission policies. The name begins with the API group.
const PoliciesSuffix = ".policies.yaml"

// maxAnnotations is how many bytes the annotations that clients write may have. The
// API server takes 256 KiB of all; the rest is for the marker that a read adds
// where the annotation armature.dev/remainder has no room.
const maxAnnotations = 252 << 10

// policies returns the admission policies of a group with their bindings. published
// has the API versions that may be asked for, by kind.
func policies(group string, published map[string][]string, kinds identities) []byte {
	var texts []byte
	for _, p := range policyTexts {
		texts = fmt.Appendf(texts, p.text, group, lists(published), maxAnnotations,
			quoted(kinds.anyOwner), quoted(kinds.noOwner), quoted(kinds.fixedName))
		texts = fmt.Appendf(texts, policyBinding, p.name, group)
	}
	return texts
}

// identities has the kinds whose ARM id does not consist of an owner of one kind and
// a name that the user may choose. The properties owner and azureName mean something
// else where they are not what the id consists of.
type identities struct {
	anyOwner, noOwner, fixedName []string
}

// identitiesOf returns the identities of the kinds of a group.
func identitiesOf(kinds map[string][]crdVersion) identities {
	var ids identities
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		var anyOwner, owner, azureName bool
		for _, v := range kinds[kind] {
			spec := v.pkg.types[v.shape.Spec]
			if p := spec.Property("owner"); p != nil {
				anyOwner = anyOwner || p.Type.Primitive == ir.AnyOwner
				owner = owner || p.Type.Primitive == ir.Owner
			}
			if p := spec.Property("azureName"); p != nil {
				azureName = azureName || p.AzureName
			}
		}
		switch {
		case owner:
		case anyOwner:
			ids.anyOwner = append(ids.anyOwner, kind)
		default:
			ids.noOwner = append(ids.noOwner, kind)
		}
		if !azureName {
			ids.fixedName = append(ids.fixedName, kind)
		}
	}
	return ids
}

// publishedVersions returns the API versions of each kind, also those that are
// retired, and those that the lock says have been served: a user may have chosen
// any of them.
func publishedVersions(packages []*plan.Package, lock *lock.Lock) map[string][]string {
	published := map[string][]string{}
	for _, p := range packages {
		for _, r := range p.Resources {
			if p.Role == plan.API {
				published[r.Kind] = append(published[r.Kind], p.Name)
			}
		}
	}
	for kind, names := range published {
		locked := lock.Resources[kind]
		names = append(names, locked.Versions...)
		for _, storage := range slices.Concat(locked.Former, locked.Aliases, locked.Released) {
			version, _ := apiversion.CutStorage(storage)
			names = append(names, version)
		}
		slices.Sort(names)
		published[kind] = slices.Compact(names)
	}
	return published
}

// lists returns the versions by kind as a list in CEL. Kinds with the same
// versions share an element, because CEL limits the length of an expression.
func lists(published map[string][]string) string {
	kinds := map[string][]string{}
	for _, kind := range slices.Sorted(maps.Keys(published)) {
		versions := quoted(published[kind])
		kinds[versions] = append(kinds[versions], kind)
	}
	var elements []string
	for versions, kinds := range kinds {
		elements = append(elements, fmt.Sprintf("{'kinds': %s, 'versions': %s}", quoted(kinds), versions))
	}
	slices.Sort(elements)
	return "[" + strings.Join(elements, ", ") + "]"
}

// quoted returns names as a list in CEL.
func quoted(names []string) string {
	if len(names) == 0 {
		return "[]"
	}
	return "['" + strings.Join(names, "', '") + "']"
}

// policyTexts has the policies. The arguments of their texts are the API group, the
// list of its versions, maxAnnotations, and the fields of [identities].
var policyTexts = []struct{ name, text string }{
	{"storage-versions", `---
# Who may write at storage versions. They are served without a schema, RBAC cannot tell versions apart, and one object
# that does not convert fails the lists of all namespaces. So RBAC is asked for a verb of its own.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: storage-versions.%[1]s
spec:
  matchConstraints:
    matchPolicy: Exact
    resourceRules:
    - apiGroups:
      - %[1]s
      apiVersions:
      - "*"
      operations:
      - CREATE
      - UPDATE
      resources:
      - "*/*"
  matchConditions:
  - name: storage-version
    expression: request.kind.version.endsWith('storage')
  validations:
  - expression: authorizer.group('armature.dev').resource('storageversions').name('%[1]s').check('write').allowed()
    messageExpression: >-
      request.userInfo.username + ' may not write at ' + request.kind.version + ', where nothing is validated: write at ' +
      request.kind.version.replace('storage', '') + ', or ask an administrator for the ClusterRole armature-storage-writer'
    reason: Forbidden
`},
	{"arm-ids", `---
# What the ARM id of a resource consists of does not change. In the schemas of the CRDs an API server would keep these rules
# once for each version of each kind.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: arm-ids.%[1]s
spec:
  matchConstraints:
    matchPolicy: Exact
    resourceRules:
    - apiGroups:
      - %[1]s
      apiVersions:
      - "*"
      operations:
      - CREATE
      - UPDATE
      resources:
      - "*"
  validations:
  # An owner of another form that is there already may stay.
  - expression: >-
      request.kind.kind in %[5]s || !object.?spec.?owner.hasValue() ||
      oldObject != null && object.?spec.?owner == oldObject.?spec.?owner ||
      ['armId', 'group', 'kind', 'name'].filter(f, object.spec.owner[?f].orValue('') != '') in
      (request.kind.kind in %[4]s ? [['armId'], ['group', 'kind', 'name']] : [['armId'], ['name']])
    message: "spec.owner: expected either name or armId; where the owner can be of any kind, group and kind beside the name"
  # An owner that was absent may be added: the operator refuses one that the resource is not in.
  - expression: >-
      request.kind.kind in %[5]s || oldObject == null || !oldObject.?spec.?owner.hasValue() ||
      object.?spec.?owner == oldObject.?spec.?owner
    message: "spec.owner: the owner cannot be changed"
  - expression: >-
      request.kind.kind in %[6]s || oldObject == null ||
      object.?spec.?azureName.orValue(object.metadata.name) == oldObject.?spec.?azureName.orValue(object.metadata.name)
    message: "spec.azureName: the name in Azure cannot be changed; without azureName it is metadata.name"
`},
	{"annotations", `---
# What may become of an object's annotations.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: annotations.%[1]s
spec:
  matchConstraints:
    matchPolicy: Exact
    resourceRules:
    - apiGroups:
      - %[1]s
      apiVersions:
      - "*"
      operations:
      - CREATE
      - UPDATE
      resources:
      - "*/*"
  variables:
  - name: before
    expression: "oldObject == null ? {} : oldObject.metadata.?annotations.orValue({})"
  - name: after
    expression: object.metadata.?annotations.orValue({})
  - name: bytesBefore
    expression: >-
      variables.before.map(k, k in ['armature.dev/remainder', 'armature.dev/unreadable'] ? 0 : bytes(k + variables.before[k]).size()).sum()
  - name: bytesAfter
    expression: >-
      variables.after.map(k, k in ['armature.dev/remainder', 'armature.dev/unreadable'] ? 0 : bytes(k + variables.after[k]).size()).sum()
  - name: carried
    expression: variables.before[?'armature.dev/remainder'].orValue('')
  - name: carries
    expression: variables.after[?'armature.dev/remainder'].orValue('')
  # What the manager of this request applied before, and applies now if this is server-side apply.
  - name: manager
    expression: request.options.?fieldManager.orValue('')
  - name: appliedBefore
    expression: >-
      oldObject == null ? [] : oldObject.metadata.?managedFields.orValue([]).filter(m, m.operation == 'Apply' &&
      m.manager == variables.manager)
  - name: applied
    expression: >-
      object.metadata.?managedFields.orValue([]).filter(m, m.operation == 'Apply' &&
      m.manager == variables.manager && m.apiVersion == request.kind.group + '/' + request.kind.version)
  # Server-side apply writes the annotation anew, or without what the manager no longer applies.
  - name: mayDiffer
    expression: >-
      size(variables.applied) > 0 && !variables.appliedBefore.exists(m,
      m.?fieldsV1[?'f:metadata'][?'f:annotations'][?'f:armature.dev/remainder'].hasValue())
  - name: asked
    expression: variables.after[?'armature.dev/api-version'].orValue('')
  # The versions of the kind; none if the kind is not of this release.
  - name: published
    expression: >-
      %[2]s.filter(e, request.kind.kind in e.kinds).map(e, e.versions)
  validations:
  - expression: >-
      variables.carries != '' || !(variables.carried.contains('"lost":') || variables.carried.contains('"size":')) ||
      variables.mayDiffer || variables.after[?'armature.dev/exact'].orValue('') == request.kind.version
    messageExpression: >-
      'this write takes away the annotation armature.dev/remainder, and with it all that ' + request.kind.version +
      ' cannot hold: use kubectl edit, patch or apply, or read the object again and keep the annotation; if kubectl
      apply says this, run kubectl apply set-last-applied with your manifest first; to lose what it carries, set the
      annotation armature.dev/exact to ' + request.kind.version
  # It need not be as it was: another release of the webhook may have written it.
  - expression: >-
      oldObject == null || variables.carries == variables.carried ||
      !variables.carries.startsWith('{"format":1,"generation":') || variables.mayDiffer ||
      variables.carries.startsWith('{"format":1,"generation":' + string(oldObject.metadata.generation) + ',')
    messageExpression: >-
      'the annotation armature.dev/remainder was read before others changed the object, whose generation is ' +
      string(oldObject.metadata.generation) + ', and would revert that: read the object again, or remove the annotation
      from the manifest'
  - expression: >-
      !variables.applied.exists(m, m.?fieldsV1[?'f:metadata'][?'f:annotations'][?'f:armature.dev/remainder'].hasValue())
    message: >-
      server-side apply of a manifest with the annotation armature.dev/remainder, which describes the object when it was
      read: remove it from the manifest; to restore a backup, use kubectl create
  - expression: variables.bytesAfter <= %[3]d || variables.bytesAfter <= variables.bytesBefore
    messageExpression: >-
      'the annotations have ' + string(variables.bytesAfter) + ' bytes, and reads at other versions leave room for
      %[3]d: remove annotations'
  - expression: >-
      variables.asked == '' || variables.asked == variables.before[?'armature.dev/api-version'].orValue('') ||
      variables.published.all(versions, variables.asked in versions)
    messageExpression: >-
      'the annotation armature.dev/api-version is ' +
      (variables.asked.matches('^[0-9A-Za-z.-]{1,63}$') ? variables.asked : 'not a version') +
      '; expected one of ' + variables.published.map(versions, versions.join(', ')).join(', ')
`},
	{"served-versions", `---
# Which versions an update of a CRD may stop serving: those that the CRD names, after somebody looked for their users.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: served-versions.%[1]s
spec:
  matchConstraints:
    matchPolicy: Exact
    resourceRules:
    - apiGroups:
      - apiextensions.k8s.io
      apiVersions:
      - v1
      operations:
      - UPDATE
      resources:
      - customresourcedefinitions
  matchConditions:
  - name: group
    expression: object.spec.group == '%[1]s'
  variables:
  - name: named
    expression: object.metadata.?annotations[?'armature.dev/stop-serving'].orValue('').split(',')
  - name: ended
    expression: >-
      oldObject.spec.versions.filter(v, v.served && !v.name.endsWith('storage') && !(v.name in variables.named) &&
      !object.spec.versions.exists(w, w.served && w.name == v.name)).map(v, v.name)
  validations:
  - expression: size(variables.ended) == 0
    messageExpression: >-
      'this stops serving ' + variables.ended.join(', ') + ', at which clients and other objects may refer to ' +
      object.spec.names.plural + ': run armature serve with the release, which looks for them; or set the annotation
      armature.dev/stop-serving of the CRD to ' + variables.ended.join(',')
`},
}

// policyBinding binds a policy. Its arguments are the name of the policy and the API
// group.
const policyBinding = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: %[1]s.%[2]s
spec:
  policyName: %[1]s.%[2]s
  validationActions:
  - Deny
`

// StorageWriters returns a ClusterRole that the policies of all groups ask for, and
// a binding of it to service accounts, each a namespace, "/" and a name.
func StorageWriters(accounts []string) []byte {
	var subjects strings.Builder
	for _, account := range accounts {
		namespace, name, _ := strings.Cut(account, "/")
		fmt.Fprintf(&subjects, "- kind: ServiceAccount\n  name: %s\n  namespace: %s\n", name, namespace)
	}
	return []byte(storageWriters + subjects.String())
}

const storageWriters = `---
# Who may write at storage versions, see the policies storage-versions of the groups.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: armature-storage-writer
rules:
- apiGroups:
  - armature.dev
  resources:
  - storageversions
  verbs:
  - write
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: armature-storage-writer
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: armature-storage-writer
subjects:
`
