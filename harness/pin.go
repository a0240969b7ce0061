package harness

// TB is the part of [testing.TB] that Pin uses.
type TB interface {
	Helper()
	Log(args ...any)
	Fatal(args ...any)
}

// Pin fails a test with a sentence unless the counts agree with the theory and had the
// wanted power against each wrong one that was named; else it logs the sentence.
//
//	func TestCapacity(t *testing.T) {
//		counts, err := harness.DecideLoads(t.Context(), spec, []int{37, 40, 43}, 1, 200)
//		require.NoError(t, err)
//		harness.Pin(t, harness.JudgeCurve(mine, counts, mine.Scaled("5% more", 1.05)))
//	}
func Pin(t TB, j Judgement) {
	t.Helper()
	if err := j.Err(); err != nil {
		t.Fatal(err)
		return // a TB that is not the testing package's may go on
	}
	t.Log(j)
}
