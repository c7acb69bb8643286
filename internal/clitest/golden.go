package clitest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("golden", false, "write what the commands print into the golden file")

// Run runs a command with a standard input, and returns its exit status and its standard error.
type Run func(args []string, stdin string) (status int, errs string)

// Golden runs each command of a golden file and compares what it prints with the lines below it. A line
//
//	$ svm train -C x 'two words.csv' < rows
//
// is a command, the next lines are its standard error, and a number in square brackets is its status. All other
// lines are comments. The flag -golden of the test rewrites the file. Golden returns the messages.
func Golden(t *testing.T, file string, run Run) (messages []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var result bytes.Buffer
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		command, is := strings.CutPrefix(lines[i], "$ ")
		fmt.Fprintln(&result, lines[i])
		if !is {
			continue
		}
		var want []string
		for i+1 < len(lines) && lines[i+1] != "" && !strings.HasPrefix(lines[i+1], "$ ") {
			i++
			want = append(want, lines[i])
		}
		args, stdin, err := split(command)
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		status, errs := run(args[1:], stdin)
		got := fmt.Sprintf("%s[%d]", errs, status)
		fmt.Fprintln(&result, got)
		if got != strings.Join(want, "\n") && !*rewrite {
			t.Errorf("%s prints\n%s\nwant\n%s", command, got, strings.Join(want, "\n"))
		}
		if status == 0 {
			t.Errorf("%s is no failure", command)
		}
		messages = append(messages, errs)
	}
	if *rewrite {
		if err := os.WriteFile(file, result.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return messages
}

var shellWord = regexp.MustCompile(`'[^']*'|[^ ]+`)

// split takes a command apart as a shell does, and reads the file behind <.
func split(command string) (args []string, stdin string, err error) {
	command, input, given := strings.Cut(command, " < ")
	if given {
		var text []byte
		text, err = os.ReadFile(input)
		stdin = string(text)
	}
	for _, word := range shellWord.FindAllString(command, -1) {
		args = append(args, strings.Trim(word, "'"))
	}
	return args, stdin, err
}
