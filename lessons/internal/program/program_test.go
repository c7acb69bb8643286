package program

import (
	"os"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestTry(t *testing.T) {
	root, err := course.Root(".")
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := course.Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	s, err := Publish(t.Context(), root, lessons, os.Getenv("OUT"))
	t.Log(s, err, time.Since(began))
}
