package emit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// encodeYAML writes a value as YAML in the usual style of CRDs, keys sorted.
// It takes values made of node, list, constant, string, bool, int64 and float64. A
// general encoder would be twenty times slower, and take longer than the rest of
// generating a group.
func encodeYAML(value node) []byte {
	var out bytes.Buffer
	writeNode(&out, value, 0)
	return out.Bytes()
}

// writeNode writes the members. The first has no indent, so that it can follow the
// dash of a list.
func writeNode(out *bytes.Buffer, n node, depth int) {
	for i, key := range slices.Sorted(maps.Keys(n)) {
		if i > 0 {
			indent(out, depth)
		}
		writeText(out, key)
		out.WriteByte(':')
		writeValue(out, n[key], depth)
	}
}

// writeValue writes a value after a key and ends the line.
func writeValue(out *bytes.Buffer, value any, depth int) {
	switch value := value.(type) {
	case node:
		if len(value) == 0 {
			out.WriteString(" {}\n")
			return
		}
		out.WriteByte('\n')
		indent(out, depth+1)
		writeNode(out, value, depth+1)
	case list:
		if len(value) == 0 {
			out.WriteString(" []\n")
			return
		}
		out.WriteByte('\n')
		for _, item := range value {
			indent(out, depth)
			out.WriteByte('-')
			if n, isNode := item.(node); isNode && len(n) > 0 {
				out.WriteByte(' ')
				writeNode(out, n, depth+1)
				continue
			}
			writeValue(out, item, depth+1)
		}
	default:
		out.WriteByte(' ')
		writeScalar(out, value)
		out.WriteByte('\n')
	}
}

func writeScalar(out *bytes.Buffer, value any) {
	switch value := value.(type) {
	case string:
		writeText(out, value)
	case constant:
		var text string
		if json.Unmarshal([]byte(value.json), &text) == nil {
			writeText(out, text)
		} else {
			out.WriteString(value.json)
		}
	case bool:
		out.WriteString(strconv.FormatBool(value))
	case int64:
		out.WriteString(strconv.FormatInt(value, 10))
	case float64:
		out.WriteString(strconv.FormatFloat(value, 'f', -1, 64))
	default:
		panic(fmt.Sprintf("emit: a %T in a CRD", value))
	}
}

func indent(out *bytes.Buffer, depth int) {
	for range depth {
		out.WriteString("  ")
	}
}

// writeText writes a string, without quotes if every YAML reader takes it for a
// string.
func writeText(out *bytes.Buffer, text string) {
	if isPlain(text) {
		out.WriteString(text)
		return
	}
	out.WriteString(strconv.Quote(text)) // Go's escapes are YAML's, too
}

// isPlain reports whether a text needs no quotes. It is strict: a letter comes
// first, and no character has a meaning in YAML.
func isPlain(text string) bool {
	if text == "" || strings.HasSuffix(text, " ") || slices.Contains(reserved, strings.ToLower(text)) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case i == 0:
			return false
		case c >= '0' && c <= '9', strings.IndexByte(" -_./,()=+@;'\"[]{}$!?*&<>|%", c) >= 0:
		case c == ':' && i+1 < len(text) && text[i+1] != ' ':
		default:
			return false
		}
	}
	return true
}

// reserved are the words that YAML 1.1 does not read as strings.
var reserved = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
