package pattern_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"

	"lamcap/harness/pattern"
	"lamcap/internal/stream"
)

// An instance has the same bits on every architecture and with every instruction set:
// the fingerprints are those of amd64, and .ci/arm64 has them computed on another one. Each
// instance has some 10^5 numbers, so that the tails of the normal numbers, where a
// logarithm is taken, are among them.
func TestInstancesAreTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		spec pattern.Spec
		want string
	}{
		{pattern.Spec{Model: pattern.OP, DIn: 100, DOut: 70, P: 700, N: 700}, "38b30c5ee08306037fc0738affa881e04cd84fed96cca47fd7a5266a621b8ca0"},
		{pattern.Spec{Model: pattern.OP, DIn: 100, DOut: 70, P: 700, N: 700, Keys: pattern.Sphere, Values: pattern.Sphere}, "0c8da391256103c5b5551ff0865ebe09546f99af54576963a173ce0b3727c2be"},
		{pattern.Spec{Model: pattern.DP, DIn: 100, DOut: 70, P: 700, N: 2}, "6f650268e0dc15f4104262c165bd823d131c089727c825c72d755aeb56dcb815"},
		{pattern.Spec{Model: pattern.DP, DIn: 100, DOut: 70, P: 700, N: 2, Keys: pattern.Sphere, Values: pattern.Sphere}, "ce6e3c8d0a308f274b96d128158bb806fde0c69cc210d1c588a02415377d11ff"},
	} {
		f := pattern.Sample(stream.New(1, "everywhere", "", 0), c.spec).Fingerprint()
		assert.Equal(t, c.want, hex.EncodeToString(f[:]), "%+v", c.spec)
	}
}
