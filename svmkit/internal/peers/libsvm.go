//go:build peers

package peers

import "github.com/svmkit/course/internal/peers"

type (
	KernelSettings = peers.KernelSettings
	KernelModel    = peers.KernelModel
)

var Kernel = peers.Kernel
