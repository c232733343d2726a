package arm

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/armature-dev/armature/runtime/internal/armtag"
	"github.com/armature-dev/armature/runtime/reference"
)

// ID returns the ARM id of the resource that a Spec describes, for requests without a
// body. name is as in [NewRequest].
func ID(ctx context.Context, spec ARMTransformer, name string, resolver Resolver) (string, error) {
	r := spec.ARMResource()
	envelope, err := envelopeOf(spec)
	if err != nil {
		return "", err
	}
	switch {
	case r.FixedName != "":
		name = r.FixedName
	case envelope.azureName != "":
		name = envelope.azureName
	}
	owner, err := ownerID(ctx, r, envelope.owner, resolver)
	if err != nil {
		return "", fmt.Errorf("spec.owner: %w", err)
	}
	if r.GUIDName && envelope.azureName == "" {
		name = guidOf(owner, r.Type, name)
	}
	if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
		return "", fmt.Errorf("spec.azureName: %q cannot be the name of a resource in Azure", name)
	}
	if parent, last := cutType(r.Type); parent != "" {
		return owner + "/" + last + "/" + name, nil
	}
	if strings.EqualFold(r.Type, resourceGroups) {
		return owner + "/resourceGroups/" + name, nil
	}
	return owner + "/providers/" + r.Type + "/" + name, nil
}

// guidNamespace is the UUID namespace of the GUIDs that are computed from names.
var guidNamespace = uuid.NewSHA1(uuid.NameSpaceDNS, []byte("armature.dev"))

// guidOf returns the name in Azure of an object that does not set it: the name of the object if
// that is a GUID, and otherwise a UUID of version 5 that is computed from the owner, the type and
// the name, ignoring case. It is the same in every cluster. It must never change: each such
// resource would be created a second time.
func guidOf(owner, armType, name string) string {
	if isGUID(name) {
		return name
	}
	return uuid.NewSHA1(guidNamespace, []byte(strings.ToLower(owner+"/providers/"+armType+"/"+name))).String()
}

// isGUID reports whether a text is a GUID as ARM writes it.
func isGUID(s string) bool { return len(s) == len(uuid.Nil.String()) && uuid.Validate(s) == nil }

// URL returns the path and query of a resource at an API version.
func URL(id, apiVersion string) string {
	u := url.URL{Path: id, RawQuery: "api-version=" + url.QueryEscape(apiVersion)}
	return u.RequestURI()
}

// envelope has the properties of a Spec that are in the URL.
type envelope struct {
	azureName string
	owner     any // *reference.Owner, *reference.AnyOwner or nil
}

func envelopeOf(spec any) (envelope, error) {
	v, err := structOf(spec)
	if err != nil {
		return envelope{}, err
	}
	var e envelope
	for i := range v.NumField() {
		switch field := v.Field(i).Interface().(type) {
		case *reference.Owner:
			if field != nil {
				e.owner = field
			}
		case *reference.AnyOwner:
			if field != nil {
				e.owner = field
			}
		case *string:
			if field != nil && armtag.Of(v.Type().Field(i)).AzureName {
				e.azureName = *field
			}
		}
	}
	return e, nil
}

// ownerID returns the ARM id of the owner of a resource, without a slash at the end. The
// id of the tenant is "".
func ownerID(ctx context.Context, r Resource, owner any, resolver Resolver) (string, error) {
	var id string
	var err error
	switch owner := owner.(type) {
	case nil:
		parent, _ := cutType(r.Type)
		if parent == "" && r.Scope&Tenant != 0 {
			return "", nil
		}
		withSubscription, ok := resolver.(SubscriptionResolver)
		if !ok || parent != "" || r.Scope != Subscription {
			return "", fmt.Errorf("missing: %s belongs to %s", r.Type, r.belongsTo())
		}
		id, err = withSubscription.Subscription(ctx)
	case *reference.Owner:
		if id = owner.ARMID; id != "" && owner.Name != "" {
			return "", errTwoOwners
		}
		if id == "" {
			id, err = resolve(owner.Name, resolver, func() (string, error) {
				return resolver.OwnerID(ctx, r.ownerType(), owner.Name)
			})
		}
	case *reference.AnyOwner:
		if id = owner.ARMID; id != "" && owner.Group+owner.Kind+owner.Name != "" {
			return "", errTwoOwners
		}
		if id == "" {
			ref := reference.Resource{Group: owner.Group, Kind: owner.Kind, Name: owner.Name}
			id, err = resolve(owner.Name, resolver, func() (string, error) { return resolver.ResourceID(ctx, ref) })
		}
	}
	if err != nil {
		return "", err
	}
	id = strings.TrimSuffix(id, "/")
	if !r.fits(id) {
		return "", fmt.Errorf("found %q, expected the ARM id of %s, which %s belongs to", id, r.belongsTo(), r.Type)
	}
	return id, nil
}

// errTwoOwners refuses an owner that has both a name and an ARM id. These may be in different
// subscriptions, and a reader might notice only one of them.
var errTwoOwners = errors.New("both a name and an ARM id: expected one of them")

// resolve asks the Resolver, if there is one, for the id that a name refers to.
func resolve(name string, resolver Resolver, ask func() (string, error)) (string, error) {
	switch {
	case name == "":
		return "", errors.New("neither a name nor an ARM id")
	case resolver == nil:
		return "", fmt.Errorf("%q is a name, and there is no Resolver that knows its ARM id", name)
	}
	id, err := ask()
	if err == nil && id == "" {
		err = fmt.Errorf("%q has no ARM id", name)
	}
	return id, err
}

// ownerType returns the ARM type of an owner whose kind is known.
func (r Resource) ownerType() string {
	if parent, _ := cutType(r.Type); parent != "" {
		return parent
	}
	if r.Scope == Subscription {
		return subscriptions
	}
	return resourceGroups
}

const (
	subscriptions  = "Microsoft.Resources/subscriptions"
	resourceGroups = "Microsoft.Resources/resourceGroups"
)

// belongsTo describes the possible owners, for a message.
func (r Resource) belongsTo() string {
	if parent, _ := cutType(r.Type); parent != "" {
		return "a " + parent
	}
	var all []string
	for _, s := range []struct {
		Scope
		name string
	}{{ResourceGroup, "a resource group"}, {Subscription, "a subscription"}, {Tenant, "the tenant"}, {Extension, "any resource"}} {
		if r.Scope&s.Scope != 0 {
			all = append(all, s.name)
		}
	}
	return strings.Join(all, " or ")
}

// fits reports whether the resource with the id can be the owner.
func (r Resource) fits(id string) bool {
	armType, valid := TypeOf(id)
	if parent, _ := cutType(r.Type); parent != "" {
		return valid && strings.EqualFold(armType, parent)
	}
	switch {
	case !valid:
		return false
	case id == "": // the tenant, which can also have extension resources
		return r.Scope&(Tenant|Extension) != 0
	case strings.EqualFold(armType, resourceGroups) && r.Scope&ResourceGroup != 0:
		return true
	case strings.EqualFold(armType, subscriptions) && r.Scope&Subscription != 0:
		return true
	}
	return r.Scope&Extension != 0
}

// TypeOf returns the ARM type of the resource with an id, and whether the id is valid.
func TypeOf(id string) (armType string, valid bool) {
	if id == "" {
		return "", true
	}
	segments := strings.Split(id, "/")
	if segments[0] != "" || slices.Contains(segments, ".") || slices.Contains(segments, "..") { // which lead elsewhere
		return "", false
	}
	for i := 1; i < len(segments); {
		if strings.EqualFold(segments[i], "providers") {
			if i++; i == len(segments) {
				return "", false
			}
			armType = segments[i]
			i++
			if i == len(segments) {
				return "", false
			}
		} else if i == 1 {
			armType = "Microsoft.Resources"
		}
		if i+1 >= len(segments) || segments[i] == "" || segments[i+1] == "" {
			return "", false
		}
		if strings.EqualFold(segments[i], "resourceGroups") && i == 3 {
			armType = "Microsoft.Resources"
		}
		armType += "/" + segments[i]
		i += 2
	}
	return armType, true
}

// cutType splits an ARM type into the type of the parent, or "" if there is none, and the last
// segment.
func cutType(armType string) (parent, last string) {
	at := strings.LastIndexByte(armType, '/')
	if at < 0 || !strings.Contains(armType[:at], "/") {
		return "", armType[at+1:]
	}
	return armType[:at], armType[at+1:]
}

func lastSegment(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// structOf returns the struct that value points to.
func structOf(value any) (reflect.Value, error) {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}, fmt.Errorf("found %T, expected a pointer to a struct", value)
	}
	return v.Elem(), nil
}
