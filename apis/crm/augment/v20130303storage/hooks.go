package v20130303storage

import next "github.com/armature-dev/armature/apis/crm/v20140404storage"

// AssignToPerson_Spec names the person as the next version does.
func (p *Person_Spec) AssignToPerson_Spec(dst *next.Person_Spec) error {
	assignTo(
		&names{&p.FirstName, &p.MiddleName, &p.LastName, &p.PropertyBag},
		&nextNames{&dst.KnownAs, &dst.FamilyName, &dst.AlphaKey, &dst.LegalName, &dst.PropertyBag})
	return nil
}

// AssignFromPerson_Spec names the person as this version does.
func (p *Person_Spec) AssignFromPerson_Spec(src *next.Person_Spec) error {
	assignFrom(
		&names{&p.FirstName, &p.MiddleName, &p.LastName, &p.PropertyBag},
		&nextNames{&src.KnownAs, &src.FamilyName, &src.AlphaKey, &src.LegalName, &src.PropertyBag})
	return nil
}

// AssignToPerson_Status names the person as the next version does.
func (p *Person_Status) AssignToPerson_Status(dst *next.Person_Status) error {
	assignTo(
		&names{&p.FirstName, &p.MiddleName, &p.LastName, &p.PropertyBag},
		&nextNames{&dst.KnownAs, &dst.FamilyName, &dst.AlphaKey, &dst.LegalName, &dst.PropertyBag})
	return nil
}

// AssignFromPerson_Status names the person as this version does.
func (p *Person_Status) AssignFromPerson_Status(src *next.Person_Status) error {
	assignFrom(
		&names{&p.FirstName, &p.MiddleName, &p.LastName, &p.PropertyBag},
		&nextNames{&src.KnownAs, &src.FamilyName, &src.AlphaKey, &src.LegalName, &src.PropertyBag})
	return nil
}
