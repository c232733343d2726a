package v1beta20210101

func (p *Person) AssignToPerson( {
