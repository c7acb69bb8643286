package house

import (
	"errors"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented are the packages whose comments are checked, with what they import.
var documented = []string{"./svmkit/...", "./plots/...", "./internal/...", "./cmd/...", "./lessons/lab"}

// A godoc is what doc links of a package can name.
type godoc struct {
	files    []*ast.File
	names    map[string]bool            // of the package's own declarations
	members  map[string]map[string]bool // methods and fields of each type
	embedded map[string][]string        // of each type, as in the source: "Model" or "svmkit.Model"
	imports  map[string]string          // paths of the imported packages by their names
}

// linkLike is a text that would be a link if what it names existed.
var linkLike = regexp.MustCompile(`(?:^|[^\w*])\[\*?((?:[a-z]\w*\.)?[A-Z]\w*(?:\.[A-Z]\w*)?)\]`)

// TestDocLinks resolves every link of the form [Name], [Name.Member] and [package.Name] in the
// comments.
func TestDocLinks(t *testing.T) {
	dirs := directories(t)
	fset, parsed := token.NewFileSet(), map[string]*godoc{}
	load := func(importPath string) *godoc {
		if parsed[importPath] == nil && len(dirs[importPath]) > 0 {
			parsed[importPath] = parse(t, fset, dirs[importPath])
		}
		return parsed[importPath]
	}
	links := 0
	for importPath := range dirs {
		inside, ok := strings.CutPrefix(importPath, module)
		if !ok || !matchesAny([]string{"svmkit/...", "plots/...", "internal/...", "cmd/...", "lessons/lab"}, inside) {
			continue
		}
		p := load(importPath)
		for _, file := range p.files {
			for _, group := range file.Comments {
				place := fset.Position(group.Pos())
				wrong := func(link string) {
					t.Errorf("%s:%d: the link [%s] leads nowhere", place.Filename, place.Line, link)
				}
				all, plain := linksOf(p, importPath, group.Text())
				links += len(all)
				for _, match := range linkLike.FindAllStringSubmatch(plain, -1) {
					wrong(match[1])
				}
				for _, link := range all {
					target := importPath
					if link.ImportPath != "" {
						target = link.ImportPath
					}
					if q := load(target); q == nil || !q.has(link, load) {
						wrong(strings.TrimPrefix(target, module) + "." + strings.TrimPrefix(link.Recv+"."+link.Name, "."))
					}
				}
			}
		}
	}
	if links < 500 {
		t.Errorf("only %d links were found", links)
	}
	t.Logf("%d links", links)
}

// directories returns the Go files of the documented packages and of all that they import.
func directories(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", `{{.ImportPath}} {{.Dir}} {{range .GoFiles}} {{.}}{{end}}`}, documented...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	files := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for _, name := range words[min(2, len(words)):] {
			files[words[0]] = append(files[words[0]], filepath.Join(words[1], name))
		}
	}
	return files
}

// parse reads the files of one package.
func parse(t *testing.T, fset *token.FileSet, names []string) *godoc {
	t.Helper()
	p := &godoc{names: map[string]bool{}, members: map[string]map[string]bool{}, embedded: map[string][]string{}, imports: map[string]string{}}
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, file)
		for _, spec := range file.Imports {
			importPath := strings.Trim(spec.Path.Value, `"`)
			name := path.Base(importPath)
			if regexp.MustCompile(`^v\d+$`).MatchString(name) {
				name = path.Base(path.Dir(importPath))
			}
			if spec.Name != nil {
				name = spec.Name.Name
			}
			p.imports[name] = importPath
		}
		for _, decl := range file.Decls {
			p.add(decl)
		}
	}
	return p
}

// add enters what a declaration declares.
func (p *godoc) add(decl ast.Decl) {
	if f, ok := decl.(*ast.FuncDecl); ok {
		if f.Recv == nil {
			p.names[f.Name.Name] = true
		} else {
			p.member(typeName(f.Recv.List[0].Type), f.Name.Name)
		}
		return
	}
	for _, spec := range decl.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				p.names[name.Name] = true
			}
		case *ast.TypeSpec:
			p.names[spec.Name.Name] = true
			var fields *ast.FieldList
			switch of := spec.Type.(type) {
			case *ast.StructType:
				fields = of.Fields
			case *ast.InterfaceType:
				fields = of.Methods
			default:
				p.embedded[spec.Name.Name] = append(p.embedded[spec.Name.Name], typeName(of))
				continue
			}
			for _, f := range fields.List {
				for _, name := range f.Names {
					p.member(spec.Name.Name, name.Name)
				}
				if f.Names == nil {
					name := typeName(f.Type)
					p.embedded[spec.Name.Name] = append(p.embedded[spec.Name.Name], name)
					p.member(spec.Name.Name, name[strings.LastIndex(name, ".")+1:])
				}
			}
		}
	}
}

func (p *godoc) member(of, name string) {
	if p.members[of] == nil {
		p.members[of] = map[string]bool{}
	}
	p.members[of][name] = true
}

// typeName returns the name of a type without its star and its parameters, with its package.
func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.IndexExpr:
		return typeName(of.X)
	case *ast.IndexListExpr:
		return typeName(of.X)
	case *ast.SelectorExpr:
		return typeName(of.X) + "." + of.Sel.Name
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// has reports whether the package declares what a link names, also in what it embeds.
func (p *godoc) has(link *comment.DocLink, load func(string) *godoc) bool {
	if link.Recv == "" {
		return p.names[link.Name]
	}
	if p.members[link.Recv][link.Name] {
		return true
	}
	return slices.ContainsFunc(p.embedded[link.Recv], func(of string) bool {
		pkg, name, qualified := strings.Cut(of, ".")
		q := p
		if !qualified {
			name = of
		} else if q = load(p.imports[pkg]); q == nil {
			return false
		}
		return q.has(&comment.DocLink{Recv: name, Name: link.Name}, load)
	})
}

// linksOf returns the links of a comment, and its texts that are none.
func linksOf(p *godoc, importPath, text string) (links []*comment.DocLink, plain string) {
	parser := comment.Parser{
		LookupPackage: func(name string) (string, bool) {
			if at, ok := p.imports[name]; ok {
				return at, true
			}
			if name == path.Base(importPath) {
				return importPath, true
			}
			return comment.DefaultLookupPackage(name)
		},
		LookupSym: func(recv, name string) bool {
			return recv == "" && p.names[name] || p.names[recv]
		},
	}
	walk := func(texts []comment.Text) {
		for _, text := range texts {
			switch text := text.(type) {
			case comment.Plain:
				plain += string(text)
			case *comment.DocLink:
				if text.Name != "" {
					links = append(links, text)
				}
				plain += " "
			case *comment.Link:
				plain += " "
			}
		}
	}
	var blocks func(content []comment.Block)
	blocks = func(content []comment.Block) {
		for _, block := range content {
			switch block := block.(type) {
			case *comment.Paragraph:
				walk(block.Text)
			case *comment.Heading:
				walk(block.Text)
			case *comment.List:
				for _, item := range block.Items {
					blocks(item.Content)
				}
			}
			plain += "\n"
		}
	}
	blocks(parser.Parse(text).Content)
	return links, plain
}

// The test of the test: links that lead somewhere are found, and those that do not.
func TestLinksOf(t *testing.T) {
	p := &godoc{names: map[string]bool{"Model": true}, members: map[string]map[string]bool{"Model": {"Score": true}}, imports: map[string]string{"svm": module + "svmkit/svm"}}
	links, plain := linksOf(p, module+"svmkit", "A [Model] and its [Model.Score], a [*svm.Result], the interval [0, 1], no [Gone] and no [svmm.Model].\n\n\tcode [Nothing]\n")
	var got []string
	for _, l := range links {
		got = append(got, fmt.Sprint(l.ImportPath, " ", l.Recv, ".", l.Name))
	}
	if want := []string{" .Model", " Model.Score", module + "svmkit/svm .Result"}; !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
	if dead := linkLike.FindAllString(plain, -1); !slices.Equal(dead, []string{" [Gone]", " [svmm.Model]"}) {
		t.Errorf("texts like links: %q", dead)
	}
	if p.has(&comment.DocLink{Recv: "Model", Name: "Gone"}, nil) || !p.has(links[1], nil) {
		t.Error("the members of Model are others")
	}
}

// Each row of the table "Where things live" leads to files and folders that exist.
func TestWhereThingsLive(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "lessons", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Where things live\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| You look for ") {
			continue
		}
		rows++
		links := regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(line, -1)
		if len(links) == 0 {
			t.Errorf("no link in %q", line)
		}
		for _, link := range links {
			if _, err := os.Stat(filepath.Join(root, "lessons", filepath.FromSlash(link[1]))); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
	}
	if rows < 10 {
		t.Errorf("%d rows", rows)
	}
}
