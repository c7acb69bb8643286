package cli

import (
	"flag"
	"fmt"
	"strings"
)

// bash returns a script with which bash completes the commands of a program, their flags, the words that a
// flag takes, and files.
func bash(program string, commands []Command) string {
	var names []string
	var after, within strings.Builder
	for _, c := range commands {
		names = append(names, c.Name)
		words := c.Words
		c.Flags.VisitAll(func(f *flag.Flag) {
			words = append(words, "-"+f.Name)
			what := "compopt +o default 2>/dev/null; return" // any text
			switch a := Describe(f); {
			case a.Value == "":
				return
			case a.Words != nil:
				what = "words='" + strings.Join(a.Words, " ") + "'"
			case a.File:
				what = "return"
			}
			fmt.Fprintf(&after, "\t'%s -%s') %s ;;\n", c.Name, f.Name, what)
		})
		fmt.Fprintf(&within, "\t\t%s) words='%s' ;;\n", c.Name, strings.Join(words, " "))
	}
	return fmt.Sprintf(`# Completion of %[1]s for bash: source <(%[1]s completion bash)
_%[1]s() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
	COMPREPLY=()
	if [ "$cur" = = ]; then # -flag=
		cur=
	elif [ "$prev" = = ]; then # -flag=value
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case "${COMP_WORDS[1]} ${prev/#--/-}" in
%[2]s	*)
		case "$COMP_CWORD ${COMP_WORDS[1]}" in
		1\ *) words='%[3]s -h -version' ;;
%[4]s		esac
		[[ "$COMP_CWORD" = 1 || $cur = -* || $words != *-* ]] || return # a file
	esac
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _%[1]s %[1]s
`, program, after.String(), strings.Join(names, " "), strings.ReplaceAll(within.String(), "\t\t", "\t\t*\\ "))
}

// zsh is bash for zsh.
func zsh(program string, commands []Command) string {
	var names, cases strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&names, "\t\t\t%s\n", zshQuoted(c.Name+":"+c.Does))
		fmt.Fprintf(&cases, "\t%s)\n\t\t_arguments", c.Name)
		c.Flags.VisitAll(func(f *flag.Flag) {
			a := Describe(f)
			spec := "-" + f.Name + "[" + strings.NewReplacer("[", `\[`, "]", `\]`).Replace(a.Text) + "]"
			switch {
			case a.Words != nil:
				spec += ":" + a.Value + ":(" + strings.Join(a.Words, " ") + ")"
			case a.File:
				spec += ":" + a.Value + ":_files"
			case a.Value != "":
				spec += ":" + a.Value + ": "
			}
			fmt.Fprintf(&cases, " \\\n\t\t\t%s", zshQuoted(spec))
		})
		rest := "*:file:_files"
		if c.Words != nil {
			rest = "1:name:(" + strings.Join(c.Words, " ") + ")"
		}
		fmt.Fprintf(&cases, " \\\n\t\t\t%s ;;\n", zshQuoted(rest))
	}
	return fmt.Sprintf(`#compdef %[1]s
# Completion of %[1]s for zsh: source <(%[1]s completion zsh), after compinit
_%[1]s() {
	if (( CURRENT == 2 )); then
		local -a commands=(
%[2]s		)
		_describe command commands
		return
	fi
	local command=$words[2]
	shift words
	(( CURRENT-- ))
	case $command in
%[3]s	esac
}
if [ "$funcstack[1]" = _%[1]s ]; then # this file is _%[1]s in a folder of fpath
	_%[1]s "$@"
else
	compdef _%[1]s %[1]s
fi
`, program, names.String(), cases.String())
}

// zshQuoted returns text as one argument, always in quotation marks.
func zshQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
