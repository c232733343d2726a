package v20210101

import storage "example.com/apis/crm/v20210101storage"

func (p *Person_Status) AssignFromPerson_Status(src *storage.Person_Status) error { return nil }
