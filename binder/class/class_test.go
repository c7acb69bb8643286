package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestQuantile(t *testing.T) {
	var twenty []int
	for i := range 20 {
		twenty = append(twenty, 20-i)
	}
	for _, c := range []struct {
		values []int
		p      float64
		want   int
	}{
		{nil, 0.5, 0}, {[]int{7}, 0, 7}, {[]int{7}, 0.95, 7}, {[]int{3, 1, 2}, 0.5, 2}, {[]int{1, 2}, 0.5, 1},
		{twenty, 0, 1}, {twenty, 0.5, 10}, {twenty, 0.95, 19}, {twenty, 0.96, 20}, {twenty, 1, 20},
	} {
		if got := quantile(c.values, c.p); got != c.want {
			t.Errorf("quantile(%v, %v) = %d, want %d", c.values, c.p, got, c.want)
		}
	}
}

// The parts of a student's memory add up to the whole, and a machine holds as many as the mean says.
func TestReport(t *testing.T) {
	c := &class{settings: settings{students: 3, cells: 1}, hub: &hub{folder: "/tmp/class"}}
	c.memory, c.byProgram = []int{100 * mb, 100 * mb, 400 * mb}, map[string]int{"gonb": 150 * mb, "gopls": 450 * mb}
	report := c.String()
	for _, want := range []string{"A class of 3 on ", " cores, ", "mean | 200 MB |", "gonb, mean | 50 MB |", "gopls, mean | 150 MB |", "students a GB | 5.1 |", "-cells 1`"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
}

// The cores of the machine that tests are not those of another hub.
func TestReportOfAnotherHub(t *testing.T) {
	const address = "https://hub.example.org"
	report := fmt.Sprint(&class{settings: settings{students: 3, cells: 1, hub: address}, hub: &hub{url: address}})
	if strings.Contains(report, "cores") || !strings.Contains(report, "-cells 1 -hub "+address+"`") {
		t.Error(report)
	}
}

// Another hub may take any password.
func TestLoginOnAnotherHub(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/hub/login" {
			w.WriteHeader(http.StatusFound)
			return
		}
		fmt.Fprint(w, `{"token": "t"}`)
	}))
	defer server.Close()
	if api, err := (&hub{url: server.URL}).login(t.Context(), "student01"); err != nil || api.Token != "t" {
		t.Errorf("%v, %v", api, err)
	}
	if _, err := (&hub{url: server.URL, folder: "/tmp/class"}).login(t.Context(), "student01"); err == nil {
		t.Error("our own hub may not")
	}
}
