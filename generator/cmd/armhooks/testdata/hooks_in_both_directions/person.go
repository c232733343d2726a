package v20200101storage

import (
	next "example.com/apis/crm/v20210101storage"
)

// AssignToPerson_Spec has a body that no output tells of.
func (p *Person_Spec) AssignToPerson_Spec(dst *next.Person_Spec) error {
	dst.Name = p.first()
	return nil
}

func (p *Person_Spec) AssignFromPerson_Spec(src *next.Person_Spec) (err error) { return err }

// first is no hook, nor is Assign or AssignTolerance.
func (p *Person_Spec) first() *string { return p.FirstName }

func (p *Person_Spec) Assign() {}

func (p *Person_Spec) Assigntolerance() {}

func AssignToPerson_Spec() {}
