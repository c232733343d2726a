package convert_test

// moves is the history of a service whose properties move into objects, out of them
// and between them, and of which one type becomes two, and two one.
var moves = []release{
	{"2010-01-01", map[string]string{"Person_Spec": "id string"}},
	{"2011-01-01", map[string]string{
		"Person_Spec": `
			id         string
			latitude   number
			longitude  number
			size       integer
			disk       Disk
			sku        Sku
			network    Network
			password   secret
			login      Login
			encryption Encryption
			deep       string
			left       Left
			right      Right
			homes      []Home
			again      string
			first      Options
			second     Options
			lock       LockKey
			door       DoorKey`,
		"Options":    "a string\nb string",
		"LockKey":    "id string\nbrass boolean",
		"DoorKey":    "id string\nsteel boolean",
		"Disk":       "name string",
		"Sku":        "name string\ntier string",
		"Network":    "subnet reference\ndns []string\nport string",
		"Login":      "user string",
		"Encryption": "enabled boolean\nkey string",
		"Left":       "shared {}string\nown string",
		"Right":      "own string",
		"Home":       "street string\ncity string",
	}},
	{"2012-02-02", map[string]string{
		"Person_Spec": `
			id          string
			coordinates Coordinates
			disk        Disk
			plan        Plan
			subnet      reference
			dns         []string
			port        integer
			login       Login
			encryptions Encryptions
			outer       Outer
			left        Left
			right       Right
			homes       []Home
			first       FirstOptions
			second      SecondOptions
			lock        Key
			door        Key`,
		"FirstOptions":  "a string\nb string\nc string",
		"SecondOptions": "a string\nd string",
		"Key":           "id string\nsteel boolean",
		"Coordinates":   "latitude number\nlongitude number\naltitude number",
		"Disk":          "name string\nsize integer",
		"Sku":           "name string\ntier string",
		"Plan":          "sku Sku\nterm string",
		"Login":         "user string\npassword secret",
		"Encryptions":   "enabled boolean\nitems []Encryption",
		"Encryption":    "key string",
		"Outer":         "inner Inner\nother string\nagain string",
		"Inner":         "deep string\nother string",
		"Left":          "own string",
		"Right":         "shared {}string\nown string",
		"Home":          "place Place",
		"Place":         "street string\ncity string\nzip string",
	}},
	// This one has neither the coordinates nor what they were before.
	{"2013-03-03", map[string]string{
		"Person_Spec":   "id string\ndisk Disk\nplan Plan\nlogin Login\nhomes []Home\nsecond SecondOptions\ndoor Key",
		"SecondOptions": "a string",
		"Key":           "id string\nbrass boolean",
		"Disk":          "name string\nsize integer",
		"Sku":           "name string\ntier string",
		"Plan":          "sku Sku",
		"Login":         "user string\npassword secret",
		"Home":          "place Place",
		"Place":         "street string\ncity string\nzip string",
	}},
	// Some come back where they were at first: the size by a move, with other values; the
	// latitude, and what is there again, as other properties of the same name.
	{"2014-04-04", map[string]string{
		"Person_Spec": `
			id          string
			coordinates Coordinates
			latitude    string
			size        string
			disk        Disk
			plan        Plan
			login       Login
			homes       []Home
			again       string
			first       FirstOptions
			second      SecondOptions
			lock        Key
			door        Key`,
		"FirstOptions":  "a string\nc integer",
		"SecondOptions": "b string\nd string",
		"Key":           "id string\nbrass boolean\nsteel string",
		"Coordinates":   "latitude number\nlongitude number",
		"Disk":          "name string",
		"Sku":           "name string\nsize string",
		"Plan":          "sku Sku\nterm string",
		"Login":         "user string\npassword secret",
		"Home":          "place Place",
		"Place":         "street string\nzip string",
	}},
}

const movesYAML = `exports:
  Example.Crm/persons: {kind: Person}
changes:
  - {property: Person.latitude, since: 2012-02-02, moved: Person.coordinates.latitude}
  - {property: Person.longitude, since: 2012-02-02, moved: Person.coordinates.longitude}
  - {property: Person.size, since: 2012-02-02, moved: Person.disk.size}
  - {property: Person.sku, since: 2012-02-02, moved: Person.plan.sku}
  - {property: Person.network.subnet, since: 2012-02-02, moved: Person.subnet}
  - {property: Person.network.dns, since: 2012-02-02, moved: Person.dns}
  - {property: Person.network.port, since: 2012-02-02, moved: Person.port}
  - {property: Person.password, since: 2012-02-02, moved: Person.login.password}
  - {property: Person.encryption, since: 2012-02-02, moved: Person.encryptions.items}
  - {property: Person.encryption.enabled, since: 2012-02-02, moved: Person.encryptions.enabled}
  - {property: Person.deep, since: 2012-02-02, moved: Person.outer.inner.deep}
  - {property: Person.again, since: 2012-02-02, moved: Person.outer.again}
  - {property: Person.left.shared, since: 2012-02-02, moved: Person.right.shared}
  - {type: Options, since: 2012-02-02, renamed: FirstOptions}
  - {type: Options, since: 2012-02-02, renamed: SecondOptions}
  - {type: LockKey, since: 2012-02-02, renamed: Key}
  - {type: DoorKey, since: 2012-02-02, renamed: Key}
  - {property: Home.street, since: 2012-02-02, moved: Home.place.street}
  - {property: Home.city, since: 2012-02-02, moved: Home.place.city}
  - {property: Person.disk.size, since: 2014-04-04, moved: Person.size}
`
