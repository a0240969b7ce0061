package faddeeva

// The power series w(z) = Σ (iz)^n / Γ(n/2 + 1) serves |z| < 1/2: there it is
// faster than the trapezoidal rules, and its imaginary part, of order x, keeps
// full relative accuracy. The first terms left out are 0.5^26/13! = 2e−18 and,
// for |z| < 0.1, 0.1^14/7! = 2e−18.
const (
	nearSquare      = 0.25 // |z|² below which the series is used
	verySmall       = 0.01 // |z|² below which a shorter one will do
	lastIfVerySmall = 13
)

// nearCoefficients are 1/Γ(n/2 + 1).
var nearCoefficients = [26]float64{
	1.0,                           // 1/Γ(0/2 + 1)
	1.128379167095512573896,       // 1/Γ(1/2 + 1)
	1.0,                           // 1/Γ(2/2 + 1)
	0.7522527780636750492641,      // 1/Γ(3/2 + 1)
	0.5,                           // 1/Γ(4/2 + 1)
	0.3009011112254700197056,      // 1/Γ(5/2 + 1)
	0.1666666666666666666667,      // 1/Γ(6/2 + 1)
	0.08597174606442000563018,     // 1/Γ(7/2 + 1)
	0.04166666666666666666667,     // 1/Γ(8/2 + 1)
	0.01910483245876000125115,     // 1/Γ(9/2 + 1)
	0.008333333333333333333333,    // 1/Γ(10/2 + 1)
	0.003473605901592727500209,    // 1/Γ(11/2 + 1)
	0.001388888888888888888889,    // 1/Γ(12/2 + 1)
	0.0005344009079373426923399,   // 1/Γ(13/2 + 1)
	0.0001984126984126984126984,   // 1/Γ(14/2 + 1)
	0.00007125345439164569231199,  // 1/Γ(15/2 + 1)
	0.0000248015873015873015873,   // 1/Γ(16/2 + 1)
	0.000008382759340193610860234, // 1/Γ(17/2 + 1)
	0.000002755731922398589065256, // 1/Γ(18/2 + 1)
	8.823957200203800905509e-7,    // 1/Γ(19/2 + 1)
	2.755731922398589065256e-7,    // 1/Γ(20/2 + 1)
	8.403768762098858005247e-8,    // 1/Γ(21/2 + 1)
	2.505210838544171877505e-8,    // 1/Γ(22/2 + 1)
	7.307625010520746091519e-9,    // 1/Γ(23/2 + 1)
	2.087675698786809897921e-9,    // 1/Γ(24/2 + 1)
	5.846100008416596873215e-10,   // 1/Γ(25/2 + 1)
}

// quadrantNear sums the power series, modulus = |z|². Dividing the
// polynomial in v = iz by v² + 2yv + |z|², which vanishes there, leaves b₁v + b₀
// with real b₀, b₁.
func quadrantNear(x, y, modulus float64) (re, im float64) {
	last := len(nearCoefficients) - 1
	if modulus < verySmall {
		last = lastIfVerySmall
	}
	b1, b2 := nearCoefficients[last], 0.0
	for n := last - 1; n > 0; n-- {
		b1, b2 = (nearCoefficients[n]-modulus*b2)-2*y*b1, b1
	}
	return (nearCoefficients[0] - modulus*b2) - y*b1, x * b1
}
