package service

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Interview asks a person on a terminal.
type Interview struct {
	in  *bufio.Scanner
	out io.Writer
}

// NewInterview returns an interview that reads answers from in, one in a line, and
// writes questions to out.
func NewInterview(in io.Reader, out io.Writer) *Interview {
	return &Interview{bufio.NewScanner(in), out}
}

// Ask asks for the types, the versions and the group of a request, after it has shown
// what there is. An empty answer means the default. An answer that does not fit is
// asked for again.
func (i *Interview) Ask(r *Request) error {
	if err := r.Specs.usable(r.Repository); err != nil {
		return err
	}
	provider, docs, err := r.Specs.Provider(r.Provider)
	if err != nil {
		return err
	}
	if r.offer, err = r.Specs.offer(provider, docs); err != nil {
		return err
	}
	if err := r.offer.print(i.out); err != nil {
		return err
	}
	fits := func() error {
		_, err := r.choose(provider, r.offer.versions)
		return err
	}
	for _, q := range []struct {
		question, standard string
		take               func(answer string) error
	}{
		{"Types, such as sites or sites/*, with commas between them", "all", func(answer string) error {
			r.Types = split(answer)
			return fits()
		}},
		{"Versions, with commas between them", "of each type the newest stable one, and newer previews", func(answer string) error {
			r.Versions = split(answer)
			return fits()
		}},
		{"Folder below " + r.folder(), r.name(provider), func(answer string) error {
			r.Group = answer
			return r.checkName(r.name(provider))
		}},
	} {
		if err := i.until(q.question, q.standard, q.take); err != nil {
			return err
		}
	}
	return nil
}

// Confirm asks a question that yes is the default answer to.
func (i *Interview) Confirm(question string) (bool, error) {
	answer, err := i.one(question, "yes")
	return answer == "" || strings.HasPrefix("yes", strings.ToLower(answer)), err
}

// until asks a question until take returns no error for the answer.
func (i *Interview) until(question, standard string, take func(answer string) error) error {
	for {
		answer, err := i.one(question, standard)
		if err != nil {
			return err
		}
		if err = take(answer); err == nil {
			return nil
		}
		fmt.Fprintf(i.out, "%v\n", err)
	}
}

func (i *Interview) one(question, standard string) (string, error) {
	fmt.Fprintf(i.out, "%s [%s]: ", question, standard)
	if !i.in.Scan() {
		return "", fmt.Errorf("%q was not answered: %w", question, cmp.Or(i.in.Err(), io.ErrUnexpectedEOF))
	}
	return strings.TrimSpace(i.in.Text()), nil
}

func split(answer string) []string {
	return strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' })
}

// print prints each resource type with its newest version.
func (o *offer) print(out io.Writer) error {
	newest, times, spelled := map[string]string{}, map[string]int{}, map[string]string{} // by folded type
	for _, v := range o.versions {
		types := map[string]bool{}
		for _, ofDocument := range v.Types {
			for _, t := range ofDocument {
				types[strings.ToLower(t)] = true
				spelled[strings.ToLower(t)] = t[len(o.provider)+1:]
			}
		}
		for t := range types {
			newest[t] = v.APIVersion
			times[t]++
		}
	}
	fmt.Fprintf(out, "%s has %s at %s:\n", o.provider, count(len(times), "resource type", "resource types"),
		count(len(o.versions), "version", "versions"))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, t := range slices.Sorted(maps.Keys(times)) {
		fmt.Fprintf(table, "  %s\tat %d\tup to %s\n", spelled[t], times[t], newest[t])
	}
	return table.Flush()
}

// count returns a number with its noun, and the verb where that follows.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
