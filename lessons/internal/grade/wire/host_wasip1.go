package wire

import (
	"time"
	"unsafe"
)

//go:wasmimport wire exchange
func hostExchange(message unsafe.Pointer, size uint32) uint32

//go:wasmimport wire take
func hostTake(into unsafe.Pointer)

//go:wasmimport check begin
func hostBegin(limit int64)

//go:wasmimport check verdict
func hostVerdict(kind uint32, message unsafe.Pointer, size uint32)

// exchange sends a message, or none if it is empty, and waits for the next one.
func exchange(message []byte) []byte {
	next := make([]byte, hostExchange(unsafe.Pointer(unsafe.SliceData(message)), uint32(len(message))))
	hostTake(unsafe.Pointer(unsafe.SliceData(next)))
	return next
}

func begin(limit time.Duration) { hostBegin(int64(limit)) }

func verdict(kind int, message string) {
	message = brief(message)
	hostVerdict(uint32(kind), unsafe.Pointer(unsafe.StringData(message)), uint32(len(message)))
}
