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

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/internal/clitest"
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

// program is the command with its flags.
func program() *cli.Program {
	p := &cli.Program{Name: "svm", Heads: help}
	for k, fs := range flagSets() {
		p.Commands = append(p.Commands, cli.Command{Name: commands[k].name, Does: commands[k].does, Flags: fs})
	}
	p.Commands = append(p.Commands, cli.Command{Name: "completion", Does: "print a shell completion", Flags: cli.FlagSet("completion")})
	return p
}

// The help has its form, and every example of it runs, those of svm -h in their order.
func TestHelp(t *testing.T) {
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
	for _, line := range clitest.Help(t, program(), "svm") {
		line, _, _ := strings.Cut(line, " > ") // for the shell
		if status, _, errs := svmRun(t, "", strings.Fields(line)[1:]...); status != exitOK {
			t.Errorf("%s: status %d, %s", line, status, errs)
		}
	}
	for _, way := range []string{"-h", "-help", "--help", "help"} {
		if out, _ := must(t, "", way); !strings.HasPrefix(out, "usage: svm COMMAND") {
			t.Errorf("svm %s: %s", way, out)
		}
	}
	for _, c := range commands {
		if out, errs := must(t, "", c.name, "-h"); !strings.HasPrefix(out, "usage: svm "+c.name) || errs != "" {
			t.Errorf("svm %s -h: %s%s", c.name, out, errs)
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

// The script for zsh has each flag of each command. zsh reads it, and completes on a terminal of its own.
func TestCompletionInZsh(t *testing.T) {
	text, _ := must(t, "", "completion", "zsh")
	for _, fs := range flagSets() {
		_, part, found := strings.Cut(text, "\n\t"+fs.Name()+")\n")
		part, _, ended := strings.Cut(part, ";;\n")
		fs.VisitAll(func(f *flag.Flag) {
			if !found || !ended || strings.Count(part, "'-"+f.Name+"[") != 1 {
				t.Errorf("svm %s: -%s is not once in\n%s", fs.Name(), f.Name, part)
			}
		})
	}
	if _, err := exec.LookPath("zsh"); err != nil {
		t.Skip("no zsh here")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "_svm"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const ask = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT='' TERM=dumb; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; print -n REA; print DY"
zpty -r shell out '*READY*'
zpty -w -n shell "$2"$'\t\C-a: \C-e\n'
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
