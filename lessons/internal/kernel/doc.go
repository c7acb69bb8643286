// Package kernel runs cells on a Jupyter kernel, GoNB in the first place, with Go alone: it starts the
// kernel's process, speaks the Jupyter messaging protocol with it (version 5.4, over ZeroMQ), and returns
// the outputs of each cell as a notebook stores them.
//
// [GoNB] builds the pinned kernel, [Start] starts it, [Kernel.Execute] runs a cell, [Kernel.Close] ends everything.
// Source: "Messaging in Jupyter", https://jupyter-client.readthedocs.io/en/stable/messaging.html.
//
// # What a cell is
//
// GoNB compiles every cell into a program of its own and runs it: declarations persist from cell to cell,
// values do not. A cell that compiles, runs and exits with 0 is ok; a compile error, a panic and os.Exit(3)
// are an error reply. Of a panic the reply says only "exit status 2"; its words are on stderr, and
// [Result.Failure] finds them.
//
// # Late and lost displays
//
// A cell hands its displays to GoNB through a pipe that GoNB stops reading when the program exits. What is
// still in the pipe then is lost; only gonbui.Sync(), after the last display, makes sure. What GoNB was
// handling at that moment can arrive after the cell's idle message; Execute waits for it with one more
// round trip to the kernel.
//
// A write of more than 32 KB to stdout reaches us in pieces, and GoNB replaces a character that is cut in
// two by U+FFFD. A display that a later cell updates stays as it was.
//
// # What a cell sees in place of a reader
//
// An input request is answered at once with an empty line; reading os.Stdin without a request blocks, until
// the cell's time is over. A widget finds a front end that accepts the connection, shows the widget with
// its first value, answers heartbeats and reads, and never touches anything: to create, set and read a
// slider, a choice or a button does not block; to wait for a click or a change does, until the cell's time
// is over. A cell can test the environment variable LESSONS_HEADLESS. The script by which GoNB connects a
// browser is not kept as an output.
//
// # Processes
//
// The kernel talks over sockets in a private directory, so no port is opened and no other user can connect;
// every message is signed with a random key and verified. The directory is also the TMPDIR of the kernel
// and of its cells, and their Go workspace is there; what the user sets for Go (GOFLAGS, GOWORK) does not
// reach them. Close ends the kernel, the compilers and cells that it runs, and, on Linux, whatever these
// have left in the background, and removes the directory. If our process is killed before it can call
// Close, a watchdog (a small shell in the kernel's process group) does the same. If that is killed too, the
// next [TempDir] of any process does it: a lock on each directory tells whether its maker lives.
// [Supervise] gives other programs the same care.
package kernel
