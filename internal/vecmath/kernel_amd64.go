package vecmath

import "lamcap/internal/simd"

// accelerate32 replaces the routines by those written for r.Level.
func accelerate32(r *Routines[float32]) {
	switch r.Level {
	case simd.AVX2:
		r.softmaxColumns = softmaxColumnsFloat32AVX2
		r.softmaxRow = softmaxRowFloat32AVX2
		r.sumExp = sumExpFloat32AVX2
		r.largest = largestFloat32AVX2
		r.dot = dotFloat32AVX2
		r.addScaled = addScaledFloat32AVX2
		r.matVec = matVecFloat32AVX2
		r.matVecTrans = matVecTransFloat32AVX2
	case simd.AVX512:
		r.softmaxColumns = softmaxColumnsFloat32AVX512
		r.softmaxRow = softmaxRowFloat32AVX512
		r.sumExp = sumExpFloat32AVX512
		r.largest = largestFloat32AVX512
		r.dot = dotFloat32AVX512
		r.addScaled = addScaledFloat32AVX512
		r.matVec = matVecFloat32AVX512
		r.matVecTrans = matVecTransFloat32AVX512
	}
}

// accelerate64 replaces the routines by those written for r.Level.
func accelerate64(r *Routines[float64]) {
	switch r.Level {
	case simd.AVX2:
		r.softmaxColumns = softmaxColumnsFloat64AVX2
		r.softmaxRow = softmaxRowFloat64AVX2
		r.sumExp = sumExpFloat64AVX2
		r.largest = largestFloat64AVX2
		r.dot = dotFloat64AVX2
		r.addScaled = addScaledFloat64AVX2
		r.matVec = matVecFloat64AVX2
		r.matVecTrans = matVecTransFloat64AVX2
	case simd.AVX512:
		r.softmaxColumns = softmaxColumnsFloat64AVX512
		r.softmaxRow = softmaxRowFloat64AVX512
		r.sumExp = sumExpFloat64AVX512
		r.largest = largestFloat64AVX512
		r.dot = dotFloat64AVX512
		r.addScaled = addScaledFloat64AVX512
		r.matVec = matVecFloat64AVX512
		r.matVecTrans = matVecTransFloat64AVX512
	}
}
