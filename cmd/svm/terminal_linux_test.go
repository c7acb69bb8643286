package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a pseudo-terminal: what is written to slave comes out of master.
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	if slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skip(err)
	}
	return master, slave
}

// Reports and predictions on a terminal are printable.
func TestATerminalGetsPrintableText(t *testing.T) {
	model := file(t, "model", strings.NewReplacer(`"0"`, `"ham"`, `"1"`, `"\x1b[2J"`).Replace(byHand))
	for _, args := range [][]string{{"predict", "-unlabelled", model, "-"}, {"train", "-"}, {"scale", "-"}, {"train", "-o", "-", "-"}} {
		master, slave := terminal(t)
		var errs strings.Builder
		rows, want := "1,0,\u202eevil\n0,1,ham\n", `\u202eevil` // a reader refuses control characters, and takes this one
		if args[0] == "predict" {
			rows, want = "1,0\n0,1\n", `\x1b[2J`
		}
		status := run(t.Context(), args, strings.NewReader(rows), slave, &errs)
		slave.Close()
		got, _ := io.ReadAll(master) // ends with EIO: there is no slave
		if text := string(got); status != exitOK || strings.ContainsAny(text, "\x1b\u202e") || !strings.Contains(text, want) || strings.Contains(errs.String(), "\x1b") {
			t.Errorf("svm %s: status %d, the terminal got %q, and %q", args, status, text, errs.String())
		}
	}
}
