// Package cli completes package flag for a program of several commands. The flags of a command are the only
// table: their texts are the help, and their words are the completion of a shell. Flags may come in any order.
// Misspelled flags get a hint, and flags without effect are refused. The package also checks that no output
// destroys an input, reads and writes files until a context ends, and shows one line of progress.
//
//	k, err := program.Choose(os.Stdout, os.Args[1:]) // answers -h, -version and completion
//	files, err := program.Parse(os.Stdout, fs, os.Args[2:], "FILE")
//	in, err := cli.Open(ctx, files[0], os.Stdin)
//	err = cli.WriteOutput(ctx, os.Stdout, name, func(w io.Writer) error { … })
package cli
