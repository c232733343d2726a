// Package page has what all pages of a site share: the frame, the style sheet and the
// script. Its main function is [Write].
//
// Text of specs goes through html/template, or through [Call], and nothing else.
package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
)

// The names of the files that all pages of a site share, in its folder.
const (
	StyleFile  = "site.css"
	ScriptFile = "site.js"
	GroupsFile = "groups.js"
	KindsFile  = "kinds.html"
	Index      = "index.html" // also of each group, and of each kind, in its folder
)

// PagesFile is the name of the script that lists the pages of a site in a release, in its folder.
const PagesFile = "pages.js"

// SearchFile is the name of the script with the properties of a group, in its folder.
const SearchFile = "search.js"

// Style is the style sheet.
//
//go:embed site.css
var Style []byte

// Script makes the search. Pages can be read without it.
//
//go:embed site.js
var Script []byte

//go:embed page.tmpl
var frame string

// Page is what a template is given.
type Page struct {
	Title string
	// Root leads from the page to the folder of the site.
	Root string
	// Trail leads to the pages above this one.
	Trail []Link
	Data  any
}

// Link is a text that may lead to a page.
type Link struct {
	Text string `json:"text"`
	To   string `json:"to"`
}

// Group is what the pages over all groups say of one.
type Group struct {
	Folder string `json:"folder"` // in the folder of the site
	Name   string `json:"name"`
	Kinds  []Kind `json:"kinds"`
}

// Kind is a kind of a group. Its addresses are in the folder of the group.
type Kind struct {
	Name     string `json:"name"`
	ARMType  string `json:"armType"`
	Folder   string `json:"folder"`
	Newest   Link   `json:"newest"`
	Versions int    `json:"versions"`
}

// Templates parses templates of pages. Each begins with {{template "top" .}}, and ends with
// </main>.
func Templates(text string) *template.Template {
	return template.Must(template.Must(template.New("page").Parse(frame)).Parse(text))
}

// Write returns the page that a template makes.
func Write(all *template.Template, name string, p Page) ([]byte, error) {
	var text bytes.Buffer
	err := all.ExecuteTemplate(&text, name, p)
	return text.Bytes(), err
}

// Call returns a script that calls a function of [Script]. Its arguments are JSON, in
// which no text can end the script element, or a line of it.
func Call(function string, args ...any) []byte {
	var list bytes.Buffer
	for i, arg := range args {
		text, err := json.Marshal(arg) // it writes <, >, &, U+2028 and U+2029 as escapes
		if err != nil {
			panic(err) // the arguments are strings and lists of them
		}
		if i > 0 {
			list.WriteString(",")
		}
		list.Write(text)
	}
	return fmt.Appendf(nil, "armature.%s(%s);\n", function, list.Bytes())
}
