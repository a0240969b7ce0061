package accuracy

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The series against mpmath at 60 digits, of which 25 and more are given.
func TestSeries(t *testing.T) {
	same := func(want string, got Number, name any) {
		t.Helper()
		e := new(big.Float).Sub(got.x, Decimal(want).x)
		relative, _ := e.Quo(e, Decimal(want).x).Float64()
		assert.InDelta(t, 0, relative, 5e-25, "%v", name)
	}
	same("2.718281828459045235360287471352662", Exp(1), "e")
	same("1.1051709180756476309466388234588", Exp(0.1), "e^0.1")
	same("2.8223507304719370763534400820598e-324", Exp(-745), "e^-745")
	same("1.0986122886681096913952452369225", Log(3), "log 3")
	same("-744.44007192138126231410729844608", Log(5e-324), "log 5e-324")
	same("-39.143946580898776561763430675012", LogOneMinusExp(-1e-17), "log(1 - e^-1e-17)")
	same("-744.44007192138126231410729844608", LogOneMinusExp(-5e-324), "log(1 - e^-5e-324)")
	same("-0.68634100280838515349921529829262", LogOneMinusExp(-0.7), "log(1 - e^-0.7)")
	same("-1.901684963475006439995456236734e-326", LogOneMinusExp(-750), "log(1 - e^-750)")
	// Not from the table, whose 40 digits leave 18 of a number so near to 0.
	same("-7.6198530241605260659733722826794e-24", LogNormalSurvival(-10), -10)
	for _, row := range Read(t, "../../extremes/testdata/log_normal_survival.csv") {
		if row["x"] == "-10" {
			continue
		}
		same(row["log_Q"], LogNormalSurvival(Decimal(row["x"]).Float64()), row["x"])
	}
}
