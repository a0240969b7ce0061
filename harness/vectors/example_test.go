package vectors_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"lamcap/harness/vectors"
)

// folder returns a new one with a file of GloVe's format in it.
func folder() string {
	dir, err := os.MkdirTemp("", "vectors")
	if err != nil {
		log.Fatal(err)
	}
	text := "paris 3 1 0\nrome 3 -1 0\nbern 5 0 2\noslo 1 0 -2\n"
	if err := os.WriteFile(filepath.Join(dir, "glove.txt"), []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	return dir
}

// Word vectors of GloVe, centred; a query is centred by the same mean.
func Example() {
	dir := folder()
	defer os.RemoveAll(dir)
	keys, err := vectors.Read(filepath.Join(dir, "glove.txt"))
	if err != nil {
		log.Fatal(err)
	}
	steps, err := vectors.ParsePreprocessing("centre,unit")
	if err != nil {
		log.Fatal(err)
	}
	transform, err := steps.Fit(keys)
	if err != nil {
		log.Fatal(err)
	}
	stored, err := transform.Apply(keys)
	if err != nil {
		log.Fatal(err)
	}
	query, err := vectors.NewSet(1, 3, []float64{3, 0, 9})
	if err != nil {
		log.Fatal(err)
	}
	asked, err := transform.Apply(query)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stored.Names[0], stored.Row(0))
	fmt.Println("query", asked.Row(0))
	// Output:
	// paris [0 1 0]
	// query [0 0 1]
}

// How anisotropic vectors are.
func ExampleSet_Spectrum() {
	dir := folder()
	defer os.RemoveAll(dir)
	keys, err := vectors.Read(filepath.Join(dir, "glove.txt"))
	if err != nil {
		log.Fatal(err)
	}
	spectrum, err := keys.Spectrum()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("rank %d of %d, participation ratio %.3f, mean/spread %.3f\n",
		spectrum.Rank, spectrum.Columns, spectrum.ParticipationRatio(), spectrum.MeanShare())
	// Output: rank 2 of 3, participation ratio 1.246, mean/spread 1.414
}

// Equal values cannot both be recalled.
func ExampleSet_Duplicates() {
	values, err := vectors.NewSet(4, 2, []float64{1, 0, 0, 1, 1, 0, 0, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values.Duplicates(), values.Zeros())
	// Output: [[0 2]] [3]
}

// A memory for NumPy: np.load("W.npy") has shape (2, 3).
func ExampleWriteNPY() {
	dir := folder()
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "W.npy")
	if err := vectors.WriteNPY(path, 2, 3, []float64{1, 2, 3, 4, 5, 6}); err != nil {
		log.Fatal(err)
	}
	w, err := vectors.Read(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Rows, w.Columns, w.Row(1))
	// Output: 2 3 [4 5 6]
}
