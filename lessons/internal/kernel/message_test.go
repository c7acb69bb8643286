package kernel

import (
	"errors"
	"slices"
	"testing"
)

var testKey = []byte("key")

// TestSignKnownAnswer checks test case 2 of RFC 4231, which every
// implementation of HMAC-SHA256 has to reproduce, cut into parts at will.
func TestSignKnownAnswer(t *testing.T) {
	const want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	got := sign([]byte("Jefe"), []byte("what do ya "), nil, []byte("want for "), []byte("nothing?"))
	if string(got) != want {
		t.Errorf("sign = %s, want %s", got, want)
	}
}

func testFrames(t testing.TB) [][]byte {
	t.Helper()
	m := newMessage("session", "stream", map[string]string{"name": "stdout", "text": "ü\n"})
	m.Parent.MsgID = "parent"
	return m.frames(testKey)
}

func TestMessageRoundTrip(t *testing.T) {
	// A topic before the delimiter and a binary buffer at the end are allowed.
	frames := append([][]byte{[]byte("topic")}, testFrames(t)...)
	m, err := parseMessage(testKey, append(frames, []byte{0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	if m.Header.MsgType != "stream" || m.Parent.MsgID != "parent" || m.Header.Session != "session" {
		t.Errorf("headers changed on the way: %+v", m)
	}
	if want := "{\"name\":\"stdout\",\"text\":\"ü\\n\"}"; string(m.Content) != want {
		t.Errorf("content = %s, want %s", m.Content, want)
	}
}

// TestParseMessageRejects changes each byte of each signed frame: every change
// has to be noticed.
func TestParseMessageRejects(t *testing.T) {
	frames := testFrames(t)
	for i := 1; i < len(frames); i++ {
		for j := range frames[i] {
			frames[i][j] ^= 1
			if _, err := parseMessage(testKey, frames); !errors.Is(err, errSignature) {
				t.Fatalf("frame %d, byte %d changed: error %v, want %v", i, j, err, errSignature)
			}
			frames[i][j] ^= 1
		}
	}
	for n := range frames[1] { // none at all, and the beginning of the right one
		short := slices.Clone(frames)
		short[1] = frames[1][:n]
		if _, err := parseMessage(testKey, short); !errors.Is(err, errSignature) {
			t.Fatalf("%d characters of the signature: error %v, want %v", n, err, errSignature)
		}
	}
	if _, err := parseMessage([]byte("another key"), frames); !errors.Is(err, errSignature) {
		t.Errorf("another key: error %v, want %v", err, errSignature)
	}
	if _, err := parseMessage(testKey, frames[1:]); !errors.Is(err, errNoDelimiter) {
		t.Errorf("no delimiter: error %v", err)
	}
	for n := 1; n < len(frames); n++ {
		if _, err := parseMessage(testKey, frames[:n]); !errors.Is(err, errFewFrames) {
			t.Errorf("%d frames: error %v, want %v", n, err, errFewFrames)
		}
	}
	if _, err := parseMessage(testKey, nil); !errors.Is(err, errNoDelimiter) {
		t.Errorf("no frames: error %v", err)
	}
	broken := [][]byte{[]byte(delimiter), sign(testKey, []byte("{"), nil, nil, nil), []byte("{"), nil, nil, nil}
	if _, err := parseMessage(testKey, broken); err == nil {
		t.Error("well-signed nonsense was accepted")
	}
}
