//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/proctest"
	"github.com/svmkit/course/svmkit/modelfile"
)

// A run of svm stream that is killed again and again ends with the same bits as a run that is not
// interrupted. At every moment the checkpoint is one that the next run can read.
func TestReliabilityKilledStreamsGoOnToTheSameBits(t *testing.T) {
	folder := t.TempDir()
	data := proctest.Put(t, folder, "rows", rowsText(1, 20_000, 2000, 10))
	total, worst := 0, 0
	for k, learner := range [][]string{{"-learner", "pegasos", "-lambda", "0.001"}, {"-learner", "perceptron"}} {
		rng := rand.New(rand.NewPCG(uint64(k), 71))
		dir := t.TempDir()
		state, model := filepath.Join(dir, "state"), filepath.Join(dir, "model")
		command := append(append([]string{"stream"}, learner...), "-o", model)
		whole := well(t, append(command, data)...)
		want := proctest.Content(t, model)
		command = append(command, "-checkpoint", state, "-every", "1ms", data)
		for survived := 0; survived < proctest.Kills(2, 30); {
			if !proctest.Killed(t, svmCommand(t, command...), proctest.Moment(rng, 2*whole.Took)) {
				if got := proctest.Content(t, model); got != want {
					t.Fatalf("%s: after %d kills the model is another", learner, survived)
				}
				os.Remove(state)
				continue
			}
			survived++
			total++
			if got := proctest.Content(t, model); got != want {
				t.Fatalf("%s: after kill %d the model is neither the old one nor, what is the same, the new one", learner, survived)
			}
			worst = max(worst, proctest.Hidden(t, dir))
		}
		well(t, command...)
		if got := proctest.Content(t, model); got != want {
			t.Errorf("%s: after all kills the model is another", learner)
		}
		if got := proctest.Names(t, dir); len(got) != 2 {
			t.Errorf("the folder holds %v, want the checkpoint and the model", got)
		}
	}
	const mostHidden = 2 // one for each of the two files that are written
	if worst > mostHidden {
		t.Errorf("%d hidden files were left at one time", worst)
	}
	t.Attr("kills", strconv.Itoa(total))
}

// A fit that is killed again and again goes on from the best β that it had, and reaches the tolerance.
func TestReliabilityKilledFitsGoOnFromTheirCheckpoint(t *testing.T) {
	folder, dir := t.TempDir(), t.TempDir()
	data := proctest.Put(t, folder, "rows", rowsText(2, 3000, 100, 10))
	rng := rand.New(rand.NewPCG(0, 72))
	state, model := filepath.Join(dir, "state"), filepath.Join(dir, "model")
	command := []string{"train", "-solver", "dcd", "-C", "10", "-tol", "1e-6", "-bias", "penalized", "-o", model, "-checkpoint", state, "-every", "0", data}
	whole := well(t, command...)
	os.Remove(state)
	os.Remove(model)
	survived, resumed := 0, 0
	for ; survived < proctest.Kills(2, 30); survived++ {
		if !proctest.Killed(t, svmCommand(t, command...), proctest.Moment(rng, whole.Took)) {
			survived--
			os.Remove(state)
			continue
		}
		if text := proctest.Content(t, state); text != "" {
			resumed++
			if !strings.HasPrefix(text, `{"svmkit":"fit checkpoint 1"`) || !strings.HasSuffix(text, "]}\n") {
				t.Fatalf("after kill %d the checkpoint is cut off: %d bytes", survived+1, len(text))
			}
		}
		if m := proctest.Content(t, model); m != "" && !strings.HasSuffix(m, "end\n") {
			t.Fatalf("after kill %d the model is cut off", survived+1)
		}
	}
	well(t, command...) // status 0: the tolerance is met, by a certificate of its own
	if end := well(t, command...); !strings.Contains(end.Out, "iterations        0\n") {
		t.Errorf("a fit that starts from the optimum in its checkpoint says\n%s", end.Out)
	}
	if _, err := modelfile.LoadFile(model); err != nil {
		t.Error(err)
	}
	if got := proctest.Names(t, dir); len(got) != 2 {
		t.Errorf("the folder holds %v, want the checkpoint and the model", got)
	}
	t.Attr("kills", strconv.Itoa(survived))
	t.Attr("checkpoints_found", strconv.Itoa(resumed))
}

// A model file of two megabytes is replaced by another one while the writer is killed: it is always
// one of the two.
func TestReliabilityKilledSavesLeaveTheOldModelOrTheNew(t *testing.T) {
	folder, dir := t.TempDir(), t.TempDir()
	model := filepath.Join(dir, "model")
	const wide = 400_000 // columns, almost all of weight 0: a short fit and a long file
	var commands [2][]string
	var want [2]string
	var took time.Duration
	for k := range commands {
		data := proctest.Put(t, folder, fmt.Sprint(k), fmt.Sprintf("+1 1:%d %d:1\n-1 2:1 3:1\n", k+1, wide))
		commands[k] = []string{"stream", "-o", model, data}
		took = max(took, well(t, commands[k]...).Took)
		want[k] = proctest.Content(t, model)
	}
	if want[0] == want[1] || len(want[0]) < wide {
		t.Fatal("the two models are equal, or short: this test proves nothing")
	}
	rng := rand.New(rand.NewPCG(0, 73))
	survived, inside, worst := 0, 0, 0
	for round := 0; survived < proctest.Kills(4, 80); round++ {
		was := proctest.Content(t, model)
		if !proctest.Killed(t, svmCommand(t, commands[round%2]...), proctest.Moment(rng, took)) {
			continue
		}
		survived++
		if now := proctest.Content(t, model); now != want[0] && now != want[1] || now != was && now != want[round%2] {
			t.Fatalf("after kill %d the model is %d bytes of neither the old nor the new", survived, len(now))
		}
		if hidden := proctest.Hidden(t, dir); hidden > 0 {
			inside++
			worst = max(worst, hidden)
		}
	}
	if worst > 1 {
		t.Errorf("%d hidden files were left at one time: the next run should have removed that of the last", worst)
	}
	if proctest.Long() && inside == 0 {
		t.Error("no kill came while the file was written: this test proves nothing")
	}
	well(t, commands[0]...)
	if got := proctest.Names(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %v, want the model alone", got)
	}
	t.Attr("kills", strconv.Itoa(survived))
	t.Attr("kills_while_writing", strconv.Itoa(inside))
}
