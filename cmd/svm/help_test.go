package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/text"
)

// flagSets returns the flags of all commands.
func flagSets() (sets []*flag.FlagSet) {
	for _, c := range commands {
		fs := cli.FlagSet(c.name)
		c.flags().define(fs)
		sets = append(sets, fs)
	}
	return sets
}

// flagsOf returns the flags of a command.
func flagsOf(command string) *flag.FlagSet {
	for _, fs := range flagSets() {
		if fs.Name() == command {
			return fs
		}
	}
	return cli.FlagSet(command)
}

// examplesIn returns the lines of a help text between its heading Examples and the next empty line.
func examplesIn(help string) []string {
	_, after, _ := strings.Cut(help, "\nExamples\n")
	lines, _, _ := strings.Cut(strings.TrimRight(after, "\n"), "\n\n")
	return strings.Split(lines, "\n")
}

// The help of each command has the form of all: a line of usage, one sentence, three examples and the flags in groups.
func TestHelpOfEachCommand(t *testing.T) {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	for _, name := range append(names, "completion") {
		help, errs := must(t, "", name, "-h")
		if again, _ := must(t, "", "help", name); errs != "" || again != help {
			t.Errorf("%s: %s%s", name, again, errs)
		}
		checkWidth(t, name, help)
		parts := strings.SplitN(help, "\n\n", 4)
		if !strings.HasPrefix(help, "usage: svm "+name+" ") || len(parts) < 3 || strings.Contains(parts[0], "\n") ||
			strings.Contains(parts[1], "\n") || strings.Count(parts[1], ".") != 1 || !strings.HasPrefix(parts[2], "Examples\n") {
			t.Errorf("%s: no line of usage, one sentence, examples:\n%s", name, help)
		}
		if examples := examplesIn(help); len(examples) != 3 || slices.ContainsFunc(examples, func(line string) bool { return !strings.HasPrefix(line, "  svm "+name+" ") }) {
			t.Errorf("%s: %d examples: %q", name, len(examples), examples)
		}
		flagsOf(name).VisitAll(func(f *flag.Flag) {
			a := cli.Describe(f)
			if n := len(strings.Fields(a.Text)); n < 2 || n > 12 {
				t.Errorf("svm %s: the text of -%s has %d words: %s", name, f.Name, n, a.Text)
			}
			if a.Group == "" || strings.Count(help, "\n  -"+f.Name+" ")+strings.Count(help, "\n  -"+f.Name+"\n") != 1 {
				t.Errorf("svm %s: -%s is in no group, or not once in\n%s", name, f.Name, help)
			}
			if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" && !strings.Contains(strings.Join(strings.Fields(help), " "), "(default "+f.DefValue+")") {
				t.Errorf("svm %s: the default of -%s is %s, and the help does not say so", name, f.Name, f.DefValue)
			}
		})
	}
}

// The help of the program is one screen, and names each command.
func TestHelpOfAllCommands(t *testing.T) {
	help, _ := must(t, "", "-h")
	checkWidth(t, "svm", help)
	if n := strings.Count(help, "\n"); n < 24 || n > 40 {
		t.Errorf("%d lines", n)
	}
	for _, c := range commands {
		if !strings.Contains(help, "\n  "+c.name+strings.Repeat(" ", 13-len(c.name))+c.does+"\n") {
			t.Errorf("svm -h does not say that %s is to %s", c.name, c.does)
		}
	}
	for _, way := range []string{"help", "-help", "--help"} {
		if again, _ := must(t, "", way); again != help {
			t.Errorf("svm %s: %s", way, again)
		}
	}
}

func checkWidth(t *testing.T, name, help string) {
	t.Helper()
	for line := range strings.Lines(help) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 || strings.HasSuffix(line, " \n") || strings.Contains(line, "\t") {
			t.Errorf("%s: %d columns, or blanks: %q", name, n, line)
		}
	}
}

// Every example of the help runs, those of svm -h in their order.
func TestExamplesOfTheHelpRun(t *testing.T) {
	t.Chdir(t.TempDir())
	var rows, targets, table, visits, unlabelled strings.Builder
	rows.WriteString("a,b,label\n")
	unlabelled.WriteString("a,b\n")
	targets.WriteString("rooms,age,price\n")
	table.WriteString("sex,age,label\n")
	visits.WriteString("patient,a,b,label\n")
	set, err := samples.Overlapping{N: 60, Dim: 2, Separation: 3}.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range set.X {
		number := func(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
		class := map[float64]string{1: "yes", -1: "no"}[set.Y[i]]
		numbers := number(x.Value[0]) + "," + number(x.Value[1])
		rows.WriteString(numbers + "," + class + "\n")
		unlabelled.WriteString(numbers + "\n")
		targets.WriteString(numbers + "," + number(x.Value[0]+2*x.Value[1]) + "\n")
		table.WriteString([]string{"f", "m"}[i%2] + "," + []string{"38", "40", "51", "62", ""}[i%5] + "," + class + "\n")
		visits.WriteString("p" + strconv.Itoa(i/3) + "," + numbers + "," + class + "\n")
	}
	for name, text := range map[string]string{"rawtrain.csv": rows.String(), "rawtest.csv": rows.String(), "train.csv": rows.String(), "test.csv": rows.String(),
		"clicks.csv.gz": rows.String(), "new.csv": unlabelled.String(), "houses.csv": targets.String(), "table.csv": table.String(), "visits.csv": visits.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(line string) {
		line, _, _ = strings.Cut(line, " > ") // for the shell
		words := strings.Fields(line)
		if status, _, errs := svmRun(t, "", words[1:]...); status != exitOK {
			t.Errorf("%s: status %d, %s", line, status, errs)
		}
	}
	help, _ := must(t, "", "-h")
	for line := range strings.Lines(help) {
		if strings.HasPrefix(line, "       svm ") {
			run(line)
		}
	}
	for _, name := range []string{"train", "predict", "cv", "grid", "scale", "stream", "completion"} {
		help, _ := must(t, "", name, "-h")
		for _, line := range examplesIn(help) {
			run(line)
		}
	}
}

// The words of flags that the library reads are all of the library's.
func TestWordsOfFlagsAreTheLibrarys(t *testing.T) {
	var kind feature.Kind
	var unit text.Unit
	for says, words := range map[string][]string{kind.UnmarshalText([]byte("?")).Error(): scales, unit.UnmarshalText([]byte("?")).Error(): units} {
		if _, list, _ := strings.Cut(says, "must be one of "); list != strings.Join(words, ", ") {
			t.Errorf("the library says %q, and the flag takes %q", says, words)
		}
	}
	_, err := loss.Named("?", 0)
	if _, list, _ := strings.Cut(err.Error(), "must be "); strings.ReplaceAll(list, " or ", ", ") != strings.Join(losses, ", ") {
		t.Errorf("the library says %q, and the flag takes %q", err, losses)
	}
}

// The help of predict names the owner of every format of model files: those that the error for a file
// of no format lists, with scikit-learn for the function save_for_go.py.
func TestHelpNamesEveryFormat(t *testing.T) {
	list, ok := strings.CutPrefix(modelfile.ErrNotModel.Error(), "not a model file of ")
	if !ok {
		t.Fatal(modelfile.ErrNotModel)
	}
	help, _ := must(t, "", "predict", "-h")
	for _, owner := range strings.Split(strings.ReplaceAll(list, " or ", ", "), ", ") {
		name := map[string]string{"svmkit": "a model of svm,", "save_for_go.py": "scikit-learn"}[owner]
		if name == "" {
			name = owner
		}
		if !strings.Contains(help, name) {
			t.Errorf("svm predict -h does not name %s", name)
		}
	}
}

func TestVersion(t *testing.T) {
	info, _ := debug.ReadBuildInfo()
	for _, way := range []string{"-version", "--version", "version"} {
		if out, _ := must(t, "", way); !strings.HasPrefix(out, "svm ") || !strings.Contains(out, info.GoVersion) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: %q", way, out)
		}
	}
}

// completed returns what bash offers for the last of some words.
func completed(t *testing.T, script string, words ...string) []string {
	t.Helper()
	const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svm; printf '%s\n' "${COMPREPLY[@]}"`
	out, err := exec.Command("bash", append([]string{"-c", ask, "bash", script}, words...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s, %s", err, out)
	}
	return strings.Fields(string(out))
}

// bash completes each command, each flag, the words of a flag, and leaves files to itself.
func TestCompletionInBash(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	text, _ := must(t, "", "completion", "bash")
	script := file(t, "svm.bash", text)
	for _, c := range []struct{ line, want string }{
		{"svm tr", "train"}, {"svm ", "scale grid cv train predict stream completion -h -version"}, {"svm completion ", "bash zsh"}, {"svm completion z", "zsh"},
		{"svm train -ker", "-kernel"}, {"svm train -kernel ", "linear poly rbf laplacian sigmoid"}, {"svm train -kernel l", "linear laplacian"}, {"svm cv --solver d", "dcd decomposition"},
		{"svm train -kernel = r", "rbf"}, {"svm train -loss =", strings.Join(losses, " ")}, {"svm train -o ", ""}, {"svm train -C ", ""}, {"svm train ", ""}, {"svm train data.csv -jso", "-json"},
		{"svm train -json -C-", "-C-negative -C-positive"}, {"svm grid -metric av", "average-precision"}, {"svm stream -learner p", "pegasos perceptron"}, {"svm predict -kernel ", ""},
		{"svm nothing -", ""}, {"svm scale -kind ", strings.Join(scales, " ")},
	} {
		if got := completed(t, script, strings.Split(c.line, " ")...); strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %s", c.line, got, c.want)
		}
	}
	for _, fs := range flagSets() {
		var want []string
		fs.VisitAll(func(f *flag.Flag) {
			want = append(want, "-"+f.Name)
			if words := cli.Describe(f).Words; words != nil {
				if got := completed(t, script, "svm", fs.Name(), "-"+f.Name, ""); !slices.Equal(got, words) {
					t.Errorf("svm %s -%s: %q, want %q", fs.Name(), f.Name, got, words)
				}
			}
		})
		if got := completed(t, script, "svm", fs.Name(), "-"); !slices.Equal(got, want) {
			t.Errorf("svm %s: %q, want %q", fs.Name(), got, want)
		}
	}
	// In a real shell that asks for it: compgen with the function.
	out, err := exec.Command("bash", "-c", `source "$1"; complete -p svm`, "bash", script).CombinedOutput()
	if err != nil || string(out) != "complete -o default -F _svm svm\n" {
		t.Errorf("%v, %s", err, out)
	}
}

// zsh reads the script, and completes on a terminal of its own.
func TestCompletionInZsh(t *testing.T) {
	if _, err := exec.LookPath("zsh"); err != nil {
		t.Skip("no zsh here")
	}
	text, _ := must(t, "", "completion", "zsh")
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "_svm"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const ask = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT='' TERM=dumb; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; print -n REA; print DY"
zpty -r shell out '*READY*'
zpty -w -n shell "$2"$'\t'
sleep 0.3
zpty -w -n shell $'\C-a: \C-e\n'
zpty -r -m shell out '*: svm*'
print -r -- "$out"
zpty -d shell`
	for typed, want := range map[string]string{"svm comple": "svm completion ", "svm train -kern": "svm train -kernel ", "svm train -kernel lap": "svm train -kernel laplacian ",
		"svm grid -metric average": "svm grid -metric average-precision ", "svm completion z": "svm completion zsh "} {
		out, err := exec.Command("zsh", "-f", "-c", ask, "zsh", folder, typed).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%q: %v, %q, want %q", typed, err, out, want)
		}
	}
}
