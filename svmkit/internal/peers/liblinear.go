//go:build peers

package peers

import "github.com/svmkit/course/internal/peers"

type LinearSettings = peers.LinearSettings

var Linear = peers.Linear
