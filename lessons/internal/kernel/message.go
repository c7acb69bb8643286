package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// protocolVersion is the version of the Jupyter messaging protocol that we speak.
const protocolVersion = "5.4"

// delimiter stands between the routing identities and the signed parts of a message.
const delimiter = "<IDS|MSG>"

// Why parseMessage rejects a message.
var (
	errNoDelimiter = errors.New("no " + delimiter + " frame")
	errFewFrames   = errors.New("fewer than five frames after the delimiter")
	errSignature   = errors.New("wrong signature")
)

// header says what a message is, and, as a parent header, which request it answers.
type header struct {
	MsgID    string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	MsgType  string `json:"msg_type"`
	Version  string `json:"version"`
}

// message is one message of the Jupyter protocol. Content stays raw: only the reader of a type
// knows its shape, and a dropped message is never decoded.
type message struct {
	Header  header
	Parent  header
	Content json.RawMessage
}

// sign returns the lower-case hexadecimal HMAC-SHA256 of the parts in order,
// as "The wire protocol" of the Jupyter messaging specification asks.
func sign(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		mac.Write(p)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// encode returns the JSON of what can always be written: strings, numbers, maps of them.
func encode(content any) []byte {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	return text
}

// frames writes m as the frames that go on the wire, signed with key.
func (m *message) frames(key []byte) [][]byte {
	none := []byte("{}")
	head, parent, metadata := encode(m.Header), none, none
	if m.Parent.MsgID != "" {
		parent = encode(m.Parent)
	}
	return [][]byte{[]byte(delimiter), sign(key, head, parent, metadata, m.Content), head, parent, metadata, m.Content}
}

// parseMessage reads frames that came from the wire, whatever they are, and checks the signature
// before anything else. Routing identities and the topic of a published message stand before the
// delimiter and are skipped; binary buffers after the fifth part are not signed and not read.
func parseMessage(key []byte, frames [][]byte) (*message, error) {
	at := 0
	for at < len(frames) && string(frames[at]) != delimiter {
		at++
	}
	if at == len(frames) {
		return nil, errNoDelimiter
	}
	parts := frames[at+1:]
	if len(parts) < 5 {
		return nil, errFewFrames
	}
	if want := sign(key, parts[1:5]...); !hmac.Equal(want, bytes.ToLower(parts[0])) {
		return nil, errSignature
	}
	m := &message{Content: parts[4]}
	if err := json.Unmarshal(parts[1], &m.Header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	// The parent is {} for a message that answers nothing, and null in some kernels.
	if err := json.Unmarshal(parts[2], &m.Parent); err != nil {
		return nil, fmt.Errorf("parent header: %w", err)
	}
	if !json.Valid(parts[3]) || !json.Valid(parts[4]) {
		return nil, errors.New("metadata or content is not JSON")
	}
	return m, nil
}

// newMessage builds a request of the given type.
func newMessage(session, msgType string, content any) *message {
	return &message{
		Header: header{MsgID: newID(), Session: session, Username: "lessons",
			Date: time.Now().UTC().Format(time.RFC3339Nano), MsgType: msgType, Version: protocolVersion},
		Content: encode(content),
	}
}

// newID returns 128 random bits in hexadecimal.
func newID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails, by its documentation
	return hex.EncodeToString(b[:])
}
