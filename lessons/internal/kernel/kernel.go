package kernel

import (
	"context"
	"sync"

	"github.com/go-zeromq/zmq4"
)

// A Kernel is a running kernel. Its methods may be called from several
// goroutines; cells are run one after the other.
type Kernel struct {
	proc    *process
	key     []byte
	session string       // also the routing identity of our sockets
	id      string       // GoNB reads it from the connection file's name and uses it for widgets
	dir     string       // private; holds connection file, sockets and the kernel's TMPDIR
	remove  func() error // removes dir

	shell, control, stdin, iopub zmq4.Socket
	receivers                    sync.WaitGroup
	received                     chan struct{} // closed when all receivers have ended
	lost                         chan struct{} // closed when a connection broke
	lostOnce                     sync.Once
	cancel                       context.CancelFunc // ends the sockets

	turn    chan struct{} // holds one token: who has it may run a cell
	mu      sync.Mutex
	running *cell
	reply   map[string]chan *message // who waits for which request's reply on shell
	widgets widgets

	closeOnce sync.Once
	closed    chan struct{}
	closeErr  error
}

// receive hands every valid message of the socket to handle. It ends when the
// kernel closes the connection. zmq4 leaks a goroutine if a socket is closed
// while messages wait in it, so it reads on until then, whatever happens.
func (k *Kernel) receive(s zmq4.Socket, handle func(*message)) {
	k.receivers.Go(func() {
		for {
			wire, err := s.Recv()
			if err != nil {
				k.lostOnce.Do(func() { close(k.lost) })
				return
			}
			if m, err := parseMessage(k.key, wire.Frames); err == nil {
				handle(m)
			}
		}
	})
}

// request prepares a request and a channel for its reply on the shell channel.
func (k *Kernel) request(msgType string, content any) (*message, <-chan *message) {
	m, reply := newMessage(k.session, msgType, content), make(chan *message, 1)
	k.mu.Lock()
	k.reply[m.Header.MsgID] = reply
	k.mu.Unlock()
	return m, reply
}

func (k *Kernel) forget(m *message) {
	k.mu.Lock()
	delete(k.reply, m.Header.MsgID)
	k.mu.Unlock()
}

func (k *Kernel) send(s zmq4.Socket, m *message) error {
	return s.SendMulti(zmq4.NewMsgFrom(m.frames(k.key)...))
}

func (k *Kernel) onShell(m *message) {
	k.mu.Lock()
	reply := k.reply[m.Parent.MsgID]
	k.mu.Unlock()
	select {
	case reply <- m:
	default: // nobody waits, or the request has its reply
	}
}

// setRunning says whom published messages are for from now on; nil is nobody.
func (k *Kernel) setRunning(c *cell) {
	k.mu.Lock()
	k.running = c
	k.mu.Unlock()
}

// Close ends the kernel and everything that it has started, and removes its
// files. A running Execute returns ErrClosed. It may be called more than once.
func (k *Kernel) Close() error {
	k.closeOnce.Do(func() {
		close(k.closed)
		if k.shell != nil && k.proc.alive() {
			m := newMessage(k.session, "shutdown_request", map[string]bool{"restart": false})
			if k.send(k.control, m) == nil {
				k.proc.wait(shutdownGrace)
			}
		}
		if k.proc.alive() && terminate(k.proc.cmd) == nil {
			k.proc.wait(terminateGrace)
		}
		k.proc.end()
		if k.shell != nil {
			for _, s := range []zmq4.Socket{k.shell, k.control, k.stdin, k.iopub} {
				s.Close()
			}
		}
		k.cancel()
		k.receivers.Wait()
		k.closeErr = k.remove()
	})
	return k.closeErr
}
