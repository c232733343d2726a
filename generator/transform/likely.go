package transform

import (
	"regexp"
	"strings"

	"github.com/armature-dev/armature/generator/ir"
)

var (
	// fractionDoc matches a description that speaks of fractions or has one, which is no
	// version and no address.
	fractionDoc = regexp.MustCompile(`(?i)\b(fractions?|fractional|decimals?|float|floating|double)\b|(^|[^\d.v])0?\.\d+([^\d.]|\.?$|\.\s)`)

	idName   = regexp.MustCompile(`^(id|ids)$|(Id|ID)s?$`)
	surelyID = regexp.MustCompile(`(Resource|Arm|ARM)(Id|ID)s?$|[uU]serAssignedIdentity$`)
	idDoc    = regexp.MustCompile(`(?i)\b(resource|arm|azure)[ -]*(manager )?(resource )?(id|identifier|uri)s?\b|fully[ -]qualified`)
	idKeys   = regexp.MustCompile(`^[uU]serAssignedIdentities |(?i)\bkeys?\b.*\b(resource ids?|subscriptions/)`)
)

// likely returns what the description of a property lets people think of it.
func likely(p *ir.Property) ir.Likelihood {
	doc := withDefault(p.Doc, p.Default)
	switch {
	case p.Type.Map != nil && idKeys.MatchString(p.ARMName()+" "+doc):
		return ir.LikelyIDKeys
	case isLikelyID(p, doc):
		return ir.LikelyID
	case p.MayBeFraction && p.Type.Leaf().Primitive == ir.Integer && fractionDoc.MatchString(doc):
		return ir.LikelyFraction
	}
	return ""
}

// isLikelyID reports whether a property looks like an ARM id, by its name,
// description and pattern.
func isLikelyID(p *ir.Property, doc string) bool {
	if leaf := p.Type.Leaf(); leaf.Primitive != ir.String || p.Variant != "" || p.Spread {
		return false
	}
	pattern := ""
	for _, v := range []*ir.Validation{p.Validation, p.ItemValidation} {
		if v != nil {
			pattern += v.Pattern
		}
	}
	name := p.ARMName()
	return surelyID.MatchString(name) || hasIDPath(doc+pattern) || idName.MatchString(name) && idDoc.MatchString(doc)
}

// hasIDPath reports whether a text has a part of an ARM id. It looks for words, because
// a pattern took a quarter of the time of shaping a version: most docs come here.
func hasIDPath(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "subscription/") || strings.Contains(text, "subscriptions/")
}
