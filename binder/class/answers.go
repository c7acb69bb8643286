package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// answer is the code of a cell that answers an exercise, and what its output must hold.
type answer struct{ code, want string }

// readAnswers reads the wrong and right answers to exercise 1.1 that the lesson's tests try, as cells.
func readAnswers(file, function string) (wrong, right []answer, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	fence := regexp.MustCompile("(?s)```go\n(.*?)%%\n(lab\\.Answers\\(.*?\\))\n```").FindStringSubmatch(string(text))
	if fence == nil {
		return nil, nil, fmt.Errorf("%s has no answers", file)
	}
	declarations, call := fence[1], fence[2]
	tree, err := parser.ParseExpr(call)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	all := tree.(*ast.CallExpr).Args
	exercise := source(call, all[0])
	for _, arg := range all[2:] {
		one := arg.(*ast.CallExpr)
		body, ok := one.Args[len(one.Args)-1].(*ast.FuncLit)
		if !ok {
			continue // the name of a function of the lesson
		}
		code := fmt.Sprintf("%sfunc %s%s\n\n%%%%\nlab.Exercise(%s, %s, %s)", declarations, function,
			strings.TrimPrefix(source(call, body), "func"), exercise, source(call, all[1]), function)
		switch kind := one.Fun.(*ast.SelectorExpr).Sel.Name; kind {
		case "Wrong":
			want, err := strconv.Unquote(source(call, one.Args[1]))
			if err != nil {
				return nil, nil, err
			}
			wrong = append(wrong, answer{code, want})
		case "Right":
			right = append(right, answer{code, "solved"})
		}
	}
	if len(wrong) == 0 || len(right) == 0 {
		return nil, nil, errors.New(file + " has no wrong answer or no right one")
	}
	return wrong, right, nil
}

func source(text string, n ast.Node) string { return text[n.Pos()-1 : n.End()-1] }
