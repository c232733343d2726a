package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// changelog is the file of the sources that says what users have to know of each version.
const changelog = "CHANGELOG.md"

// checkChangelog returns an error if a changelog has no section of the version that says something, with the day of the
// release.
func checkChangelog(text []byte, version string) error {
	heading := regexp.MustCompile(`(?m)^## ` + regexp.QuoteMeta(version) + ` - (.*)\n`)
	found := heading.FindSubmatchIndex(text)
	if found == nil {
		return fmt.Errorf("%s has no section of this version: expected a heading such as %q, with what users have to know below it",
			changelog, "## "+version+" - 2027-01-31")
	}
	day, section := string(text[found[2]:found[3]]), string(text[found[1]:])
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return fmt.Errorf("%s: version %s is of %q, expected a day such as 2027-01-31", changelog, version, day)
	}
	if next := regexp.MustCompile(`(?m)^## `).FindStringIndex(section); next != nil {
		section = section[:next[0]]
	}
	if strings.TrimSpace(section) == "" {
		return fmt.Errorf("%s: the section of %s is empty, expected what users have to know", changelog, version)
	}
	return nil
}
