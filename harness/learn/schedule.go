package learn

import (
	"fmt"
	"math"
	"strings"
)

// Schedule multiplies the learning rate by Factor(t, T) at step t = 1, 2, …;
// T is [Options.MaxEvaluations]. The step after pass t is step t, so that T
// passes take T − 1 steps. A factor of 0 ends the training: no step moves any
// more. One that is negative or not finite makes it diverge.
type Schedule struct {
	// Name identifies the function: a training that was saved is continued with
	// a schedule of the same name.
	Name   string
	Factor func(t, horizon int) float64
}

// ConstantSchedule is 1.
func ConstantSchedule() Schedule {
	return Schedule{"constant", func(int, int) float64 { return 1 }}
}

// RootSchedule is 1/√t, the α_t = α/√t of [KB15], theorem 4.1.
func RootSchedule() Schedule {
	return Schedule{"root", func(t, _ int) float64 { return 1 / math.Sqrt(float64(t)) }}
}

// LinearSchedule falls from 1 at t = 1 to 0 at t = T.
func LinearSchedule() Schedule {
	return Schedule{"linear", func(t, horizon int) float64 {
		if t >= horizon {
			return 0
		}
		return 1 - float64(t-1)/float64(horizon-1)
	}}
}

// CosineSchedule falls from 1 at t = 1 to 0 at t = T along (1 + cos πx)/2.
func CosineSchedule() Schedule {
	return Schedule{"cosine", func(t, horizon int) float64 {
		if t >= horizon {
			return 0
		}
		return (1 + math.Cos(math.Pi*float64(t-1)/float64(horizon-1))) / 2
	}}
}

// ParseSchedule returns the schedule of this package with the given name; it
// ignores case.
func ParseSchedule(name string) (Schedule, error) {
	for _, s := range []Schedule{ConstantSchedule(), RootSchedule(), LinearSchedule(), CosineSchedule()} {
		if strings.EqualFold(s.Name, name) {
			return s, nil
		}
	}
	return Schedule{}, fmt.Errorf("schedule = %s: want constant, root, linear or cosine", name)
}
