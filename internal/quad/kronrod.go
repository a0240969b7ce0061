package quad

import "math"

// pointsPerSegment is the cost of measuring one segment.
const pointsPerSegment = 21

// ruleNode holds one positive abscissa of the 21-point rule on [−1, 1] with
// its weights: kronrod in that rule, gauss in the 10-point rule, added in
// the rule of the 11 other points; 0 if it is not a node there.
type ruleNode struct{ x, kronrod, gauss, added float64 }

// The abscissa 0 is one of the 11.
const (
	centreKronrod = 0.1494455540029169056649365
	centreAdded   = 0.2984534994478115856103127
)

// ruleNodes come from the zeros of P_10 and its Stieltjes polynomial in 80-digit
// arithmetic (testdata/kronrod.py).
var ruleNodes = [10]ruleNode{
	{0.148874338981631210884826, 0.1477391049013384913748415, 0.295524224714752870173893, 0},
	{0.2943928627014601981311266, 0.1427759385770600807970943, 0, 0.2859992223526105460150318},
	{0.4333953941292471907992659, 0.134709217311473325928054, 0.2692667193099963550912269, 0},
	{0.5627571346686046833390001, 0.1234919762620658510779581, 0, 0.2465056526878680681408316},
	{0.6794095682990244062343274, 0.1093871588022976418992106, 0.2190863625159820439955349, 0},
	{0.7808177265864168970637176, 0.09312545458369760553506547, 0, 0.1867762594145320463108833},
	{0.8650633666889845107320967, 0.07503967481091995276704314, 0.1494513491505805931457763, 0},
	{0.9301574913557082260012072, 0.0547558965743519960313813, 0, 0.1089757124118088297891809},
	{0.973906528517171720077964, 0.03255816230796472747881897, 0.06667134430868813759356881, 0},
	{0.9956571630258080807355273, 0.0116946388673718742780644, 0, 0.02251640340927471693891605},
}

// negligible is the part of the largest |f| below which a node does not count
// as one where f lives.
const negligible = 1e-8

// segment is an interval of the variable of its piece, with what the rule
// found there.
type segment struct {
	lo, hi float64
	near   bool // the variable of a half line is t, not u
	piece  *piece
	value  float64 // integral by the Kronrod rule
	abs    float64 // integral of |f|
	// rounding is the part of the error that no bisection reduces.
	rounding float64
	// difference is |Kronrod − Gauss|; err, the bound used, is at least that.
	difference, err float64
	// stuck counts the bisections in this segment's line of descent that did
	// not reduce an error already near round-off.
	stuck int
	noise float64 // the largest relative difference seen in them
	// alive counts the nodes where |f| is not negligible against peak, the
	// largest |f|, met at peakAt.
	alive        int
	peak, peakAt float64
}

func (s *segment) middle() float64 { return s.lo + 0.5*(s.hi-s.lo) }

// half returns the part [lo, hi] of s, not yet measured. A part of a half line
// that lies in u ≥ 1/2 is restated in t.
func (s *segment) half(lo, hi float64) segment {
	h := segment{lo: lo, hi: hi, near: s.near, piece: s.piece, stuck: s.stuck, noise: s.noise}
	if s.piece.scale != 0 && !s.near && lo >= 0.5 {
		h.lo, h.hi, h.near = 1-hi, 1-lo, true // exact
	}
	return h
}

// fromParent restates a variable of the segment s was cut from.
func (s *segment) fromParent(v float64, parent *segment) float64 {
	if s.near && !parent.near {
		return 1 - v
	}
	return v
}

// measure applies the rule to a segment; ok is false if f is NaN or infinite
// at a node.
func (s *segment) measure(f func(float64) float64) (ok bool) {
	centre := s.lo + 0.5*(s.hi-s.lo)
	half := 0.5 * (s.hi - s.lo)
	var values [pointsPerSegment]float64
	v := s.piece.evaluate(f, centre, s.near)
	values[0] = v
	kronrod := centreKronrod * v
	abs := centreKronrod * math.Abs(v)
	gauss, added := 0.0, centreAdded*v
	for i := range ruleNodes {
		n := &ruleNodes[i]
		d := half * n.x
		left := s.piece.evaluate(f, centre-d, s.near)
		right := s.piece.evaluate(f, centre+d, s.near)
		values[2*i+1], values[2*i+2] = left, right
		kronrod += n.kronrod * (left + right)
		gauss += n.gauss * (left + right)
		added += n.added * (left + right)
		abs += n.kronrod * (math.Abs(left) + math.Abs(right))
	}
	if math.IsNaN(abs) || math.IsInf(abs, 0) {
		return false
	}
	s.peak, s.peakAt = -1, centre
	best, lowest, highest := 0, v, v
	for i, v := range values {
		if math.Abs(v) > s.peak {
			s.peak, best = math.Abs(v), i
		}
		lowest, highest = min(lowest, v), max(highest, v)
	}
	if best > 0 {
		d := half * ruleNodes[(best-1)/2].x
		if best%2 == 1 {
			d = -d
		}
		s.peakAt = centre + d
	}
	s.alive = 0
	for _, v := range values {
		if math.Abs(v) > negligible*s.peak {
			s.alive++
		}
	}
	s.value = kronrod * half
	s.abs = abs * half
	mean := 0.5 * kronrod
	spread := centreKronrod * math.Abs(values[0]-mean) // ∫|f − mean|
	for i := range ruleNodes {
		spread += ruleNodes[i].kronrod * (math.Abs(values[2*i+1]-mean) + math.Abs(values[2*i+2]-mean))
	}
	s.rounding = s.roundingOf(highest - lowest)
	s.difference = math.Abs(kronrod-gauss) * half
	s.err = bound(s.difference, math.Abs(kronrod-added)*half, spread*half)
	if s.alive > 0 && s.alive <= 3 {
		// A tail that a few nodes touch can be many times what they say.
		s.err = max(s.err, pointsPerSegment*s.abs/float64(s.alive))
	}
	return true
}

// roundingOf bounds the effect of rounding: of f (two ulp), the weights and the
// sum, and of the abscissae, which moves values by ε|x| times the slope of f; the
// slope's integral is the variation of f, at least the range seen.
func (s *segment) roundingOf(valueRange float64) float64 {
	size := math.Max(math.Abs(s.lo), math.Abs(s.hi)) * valueRange
	if p := s.piece; p.scale != 0 {
		u := s.hi
		if s.near {
			u = 1 - s.lo
		}
		// x = origin + … is rounded too, and values carry the factor |scale|/u².
		size += math.Abs(p.origin) * (u * u / math.Abs(p.scale)) * valueRange
	}
	return roundoffPerAbs*s.abs + epsilon*size
}

// bound turns the differences of the 21-point rule from the 10-point rule and from
// the 11-point rule (degrees 31, 19, 11) into an error of the first.
//
// Where f is resolved the difference from the 10-point rule is the error of that, and the
// 21-point rule is far better. Where f is not, both may err alike. QUADPACK's
// figure, (200 difference)^{3/2}, is larger there. (It is smaller below 1e-7;
// there it would let noise of 1e-11 in f pass for an error of 1e-14.) That
// all three rules agree by chance is unlikely, and for resolved f the square of the
// difference from the 11-point rule is smaller than that from the
// 10-point rule. All relative to spread = ∫|f − mean|, which is the most it can be.
func bound(difference, differenceAdded, spread float64) float64 {
	if spread == 0 {
		return difference
	}
	quadpack := 200 * difference / spread
	quadpack *= math.Sqrt(quadpack)
	chance := 10 * differenceAdded / spread
	chance *= chance
	return max(difference, spread*min(1, max(quadpack, chance)))
}
