package pattern

// The readers of pools. Pools of DP that were drawn are float32 numbers, kept
// as such or drawn again at every reading; all others are float64 numbers.

// Stored reports whether [Instance.Pool] and [Instance.PoolRows] need no buffer:
// the pools are in memory as float64.
func (in *Instance) Stored() bool { return in.pools != nil }

// Stored32 reports whether [Instance.Pool32] and [Instance.PoolRows32] need no
// buffer: the pools are in memory as float32, as [Sample] keeps those of DP.
func (in *Instance) Stored32() bool { return in.drawn != nil }

// Pool returns the candidates of input μ, N×DOut row-major, the target among
// them at row [Instance.Target]. If [Instance.Stored], buffer is not used and
// the result must not be changed; otherwise the result is in buffer, which
// needs a length of N·DOut, or is nil to have a new one made.
func (in *Instance) Pool(mu int, buffer []float64) []float64 {
	return in.PoolRows(mu, 0, in.spec.N, buffer)
}

// Pool32 is [Instance.Pool] in float32: exact for drawn pools of DP, rounded to
// nearest in OP and for given data, where what is beyond the range of float32
// becomes ±Inf or 0 (see [Instance.Scale]). Its buffer is used unless
// [Instance.Stored32].
func (in *Instance) Pool32(mu int, buffer []float32) []float32 {
	return in.PoolRows32(mu, 0, in.spec.N, buffer)
}

// PoolRows returns count rows of the pool of input μ, from row first on,
// count×DOut row-major; as in [Instance.Pool], buffer (of length count·DOut, or
// nil) is used unless [Instance.Stored]. No other row is generated.
func (in *Instance) PoolRows(mu, first, count int, buffer []float64) []float64 {
	from, size := in.place(mu, first, count)
	if in.pools != nil {
		return in.pools[from : from+size : from+size]
	}
	buffer = room(buffer, size)
	if in.drawn != nil {
		for i, v := range in.drawn[from : from+size] {
			buffer[i] = float64(v)
		}
		return buffer
	}
	draw(in, buffer, mu, first)
	return buffer
}

// PoolRows32 is [Instance.PoolRows] in float32, with the remarks of
// [Instance.Pool32].
func (in *Instance) PoolRows32(mu, first, count int, buffer []float32) []float32 {
	from, size := in.place(mu, first, count)
	if in.drawn != nil {
		return in.drawn[from : from+size : from+size]
	}
	buffer = room(buffer, size)
	if in.pools != nil {
		for i, v := range in.pools[from : from+size] {
			buffer[i] = float32(v)
		}
		return buffer
	}
	draw(in, buffer, mu, first)
	return buffer
}

// TargetValue returns u_μ, of length DOut; as in [Instance.Pool], buffer (of
// length DOut, or nil) is used unless [Instance.Stored].
func (in *Instance) TargetValue(mu int, buffer []float64) []float64 {
	return in.PoolRows(mu, in.Target(mu), 1, buffer)
}

// place checks a range of rows of a pool, and returns where it begins in all
// stored pools and its length, in numbers.
func (in *Instance) place(mu, first, count int) (from, size int) {
	s := in.spec
	if mu < 0 || mu >= s.P || first < 0 || count < 0 || first > s.N-count {
		panic("pattern: rows outside the pools")
	}
	if in.pools == nil && in.drawn == nil {
		return 0, count * s.DOut
	}
	if s.Model == DP {
		first += mu * s.N
	}
	return first * s.DOut, count * s.DOut
}

// room returns size numbers of buffer, or new ones for a nil buffer.
func room[T any](buffer []T, size int) []T {
	if buffer == nil {
		return make([]T, size)
	}
	return buffer[:size]
}
