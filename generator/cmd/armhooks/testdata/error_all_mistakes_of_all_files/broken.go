package v20210101

func (p *Person) AssignToPerson( {
