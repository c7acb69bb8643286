package notebook

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed testdata/nbformat.v4.5.schema.json
var schemaText []byte

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// checkSchema holds a notebook against nbformat's official schema.
func checkSchema(t failer, notebook []byte) {
	t.Helper()
	if err := againstSchema(notebook); err != nil {
		t.Fatalf("against nbformat's schema: %v\n%s", err, notebook)
	}
}

// schemaRoot decodes the schema once: fuzzing holds many notebooks against it.
var schemaRoot = sync.OnceValues(func() (root map[string]any, err error) {
	err = json.Unmarshal(schemaText, &root)
	return root, err
})

func againstSchema(notebook []byte) error {
	root, err := schemaRoot()
	if err != nil {
		return err
	}
	var doc any
	if err := json.Unmarshal(notebook, &doc); err != nil {
		return err
	}
	return (&schema{root}).check(root, doc, "")
}

// schema checks a document with the part of JSON Schema draft 4 that nbformat's schema uses.
type schema struct{ root map[string]any }

func (s *schema) check(rule map[string]any, v any, path string) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s: "+format, append([]any{path}, args...)...)
	}
	for keyword, r := range rule {
		switch keyword {
		case "$ref":
			target := any(s.root)
			for _, k := range strings.Split(strings.TrimPrefix(r.(string), "#/"), "/") {
				target = target.(map[string]any)[k]
			}
			if err := s.check(target.(map[string]any), v, path); err != nil {
				return err
			}
		case "type":
			names, many := r.([]any)
			if !many {
				names = []any{r}
			}
			ok := false
			for _, n := range names {
				ok = ok || hasType(v, n.(string))
			}
			if !ok {
				return fail("is %T, not %v", v, r)
			}
		case "enum":
			ok := false
			for _, x := range r.([]any) {
				ok = ok || reflect.DeepEqual(x, v)
			}
			if !ok {
				return fail("%v is none of %v", v, r)
			}
		case "oneOf":
			var errs []error
			for _, x := range r.([]any) {
				if err := s.check(x.(map[string]any), v, path); err != nil {
					errs = append(errs, err)
				}
			}
			if len(errs) != len(r.([]any))-1 {
				return fail("fits %d alternatives, not one: %v", len(r.([]any))-len(errs), errs)
			}
		case "minimum":
			if f, ok := v.(float64); ok && f < r.(float64) {
				return fail("%v is below %v", v, r)
			}
		case "maximum":
			if f, ok := v.(float64); ok && f > r.(float64) {
				return fail("%v is above %v", v, r)
			}
		case "pattern":
			if x, ok := v.(string); ok && !regexp.MustCompile(r.(string)).MatchString(x) {
				return fail("%q does not match %v", v, r)
			}
		case "minLength", "maxLength":
			x, ok := v.(string)
			n := float64(utf8.RuneCountInString(x))
			if ok && (keyword == "minLength" && n < r.(float64) || keyword == "maxLength" && n > r.(float64)) {
				return fail("%q breaks %s %v", v, keyword, r)
			}
		case "uniqueItems":
			list, _ := v.([]any)
			for i := range list {
				for j := range i {
					if reflect.DeepEqual(list[i], list[j]) {
						return fail("%v is there twice", list[i])
					}
				}
			}
		case "items":
			list, _ := v.([]any)
			for i, x := range list {
				if err := s.check(r.(map[string]any), x, fmt.Sprintf("%s[%d]", path, i)); err != nil {
					return err
				}
			}
		case "required":
			m, ok := v.(map[string]any)
			for _, k := range r.([]any) {
				if _, there := m[k.(string)]; ok && !there {
					return fail("has no %v", k)
				}
			}
		case "properties", "patternProperties", "additionalProperties":
			// below, since they depend on each other
		case "description", "$schema", "definitions", "item", "source_hidden", "outputs_hidden":
			// not rules: texts, places that $ref names, and three slips of nbformat's own
		default:
			return fmt.Errorf("keyword %q is not known to this test", keyword)
		}
	}
	return s.checkProperties(rule, v, path)
}

func (s *schema) checkProperties(rule map[string]any, v any, path string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	props, _ := rule["properties"].(map[string]any)
	patterns, _ := rule["patternProperties"].(map[string]any)
	for k, x := range m {
		known := false
		if r, ok := props[k].(map[string]any); ok {
			known = true
			if err := s.check(r, x, path+"."+k); err != nil {
				return err
			}
		}
		for p, r := range patterns {
			if regexp.MustCompile(p).MatchString(k) {
				known = true
				if err := s.check(r.(map[string]any), x, path+"."+k); err != nil {
					return err
				}
			}
		}
		switch more := rule["additionalProperties"].(type) {
		case bool:
			if !more && !known {
				return fmt.Errorf("%s: must not have %q", path, k)
			}
		case map[string]any:
			if !known {
				if err := s.check(more, x, path+"."+k); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func hasType(v any, name string) bool {
	switch name {
	case "object":
		_, ok := v.(map[string]any)
		return ok
	case "array":
		_, ok := v.([]any)
		return ok
	case "string":
		_, ok := v.(string)
		return ok
	case "boolean":
		_, ok := v.(bool)
		return ok
	case "null":
		return v == nil
	case "integer":
		f, ok := v.(float64)
		return ok && f == float64(int64(f))
	}
	return false
}
