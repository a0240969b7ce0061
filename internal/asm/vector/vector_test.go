package vector_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// avo hands out registers 16 to 31 when the others are taken, which only AVX-512
// has: in a function for AVX2 they would be illegal instructions.
func TestAVX2HasSixteenRegisters(t *testing.T) {
	files, err := filepath.Glob("../../*/*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	high := regexp.MustCompile(`\b([XYZ](1[6-9]|2[0-9]|3[01])|Z[0-9]|K[0-7])\b`)
	checked := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, function := range strings.Split(string(text), "\nTEXT ")[1:] {
			title, body, _ := strings.Cut(function, "\n")
			if !strings.Contains(title, "AVX2") {
				continue
			}
			checked++
			if found := high.FindString(body); found != "" {
				t.Errorf("%s: %s uses %s", name, title, found)
			}
		}
	}
	if checked == 0 {
		t.Error("no function checked")
	}
}

// The linker aligns data to 32 bytes at most: an aligned move of 64 bytes from
// a constant faults or not, depending on where the constant comes to lie.
func TestConstantsAreReadUnaligned(t *testing.T) {
	files, err := filepath.Glob("../../*/*_amd64.s")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	aligned := regexp.MustCompile(`\bVMOV(APS|APD|DQA|DQA32|DQA64)\s+\w+<>\S*\(SB\).*`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := aligned.FindString(string(text)); found != "" {
			t.Errorf("%s: %s", name, found)
		}
	}
}
