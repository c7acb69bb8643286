// Package cli holds what a command needs besides package flag: flags in any order, with hints for
// misspelled ones and refusals of flags without effect; outputs that destroy no input; reads and
// writes that end with a context; and one line of progress.
//
//	files, err := cli.Parse(fs, args, nil, "FILE")
//	in, err := cli.Open(ctx, files[0], os.Stdin)
//	err = cli.WriteOutput(ctx, os.Stdout, name, func(w io.Writer) error { … })
package cli
