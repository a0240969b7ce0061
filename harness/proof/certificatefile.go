package proof

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"lamcap/harness/learn"
	"lamcap/harness/pattern"
)

const (
	fileFormat  = "lamcap certificate"
	fileVersion = 1
	// maxFile is the largest file read, in bytes; W of d = 1024 has 11 MB.
	maxFile = 1 << 30
)

// file is the document. Numbers with 64 bits that must not be rounded are
// strings: integers in decimal, arrays in base64 of little-endian words.
type file struct {
	Format      string           `json:"format"`
	Version     int              `json:"version"`
	Outcome     string           `json:"outcome"`
	Instance    instanceFile     `json:"instance"`
	Margin      *float64         `json:"margin,omitempty"`
	Bound       *float64         `json:"bound,omitempty"`
	Exact       *bool            `json:"exact,omitempty"`
	Weights     *weightsFile     `json:"weights,omitempty"`
	Multipliers *multipliersFile `json:"multipliers,omitempty"`
}

type instanceFile struct {
	Model string `json:"model"`
	DIn   int    `json:"d_in"`
	DOut  int    `json:"d_out"`
	P     int    `json:"p"`
	N     int    `json:"n"`
	// Those below are empty for facts, which are not drawn.
	Keys        string `json:"keys_embedding"`
	Values      string `json:"values_embedding"`
	Seed        string `json:"seed"`
	Experiment  string `json:"experiment"`
	Cell        string `json:"cell"`
	Trial       string `json:"trial"`
	Fingerprint string `json:"fingerprint"`
}

// weightsFile holds W row-major, or Q followed by R if rank is not 0.
type weightsFile struct {
	DOut int    `json:"d_out"`
	DIn  int    `json:"d_in"`
	Rank int    `json:"rank"`
	Data string `json:"float64"`
}

// multipliersFile holds, for each input, the number of its pairs; then the
// candidate and the value of each pair.
type multipliersFile struct {
	Pairs      int    `json:"pairs"`
	Counts     string `json:"counts_uint32"`
	Candidates string `json:"candidates_uint32"`
	Values     string `json:"values_float64"`
}

// Write writes the certificate as one JSON document. It returns an error if the
// certificate is not valid or writing fails.
//
// W takes 11 bytes a number: 6 kB at d = 24, 175 kB at d = 128. Multipliers
// take 16 bytes a pair: 50 to 60 kB at d = 24, p = 125, and 1.5 MB at d = 128,
// p = 2000.
func (c *Certificate) Write(to io.Writer) error {
	if err := c.Validate(); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	s := c.Spec
	f := file{Format: fileFormat, Version: fileVersion, Outcome: c.Outcome.String(), Instance: instanceFile{
		Model: s.Model.String(), DIn: s.DIn, DOut: s.DOut, P: s.P, N: s.N, Keys: s.Keys.String(), Values: s.Values.String(),
		Seed: strconv.FormatUint(c.Address.Seed, 10), Experiment: c.Address.Experiment, Cell: c.Address.Cell,
		Trial: strconv.FormatUint(c.Address.Trial, 10), Fingerprint: c.Fingerprint,
	}}
	if s.Model == pattern.Facts {
		f.Instance.Keys, f.Instance.Values, f.Instance.Seed, f.Instance.Trial = "", "", "", ""
	}
	if c.Outcome == Stored {
		w := c.Weights
		f.Margin, f.Weights = &c.Margin, &weightsFile{DOut: w.DOut, DIn: w.DIn, Rank: w.Rank, Data: encodeFloats(w.Parameters)}
	} else {
		m := c.Multipliers
		counts, candidates := make([]uint32, s.P), make([]uint32, m.Len())
		for mu := range counts {
			counts[mu] = uint32(m.Start[mu+1] - m.Start[mu])
		}
		for i, x := range m.Candidate {
			candidates[i] = uint32(x)
		}
		f.Bound, f.Exact = &c.Bound, &c.Exact
		f.Multipliers = &multipliersFile{Pairs: m.Len(), Counts: encodeIntegers(counts), Candidates: encodeIntegers(candidates), Values: encodeFloats(m.Value)}
	}
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	_, err = to.Write(append(b, '\n'))
	return err
}

// Read reads a certificate that [Certificate.Write] wrote. Nothing in it is
// trusted: it returns an error that says what is wrong if the document is not
// complete, has other fields, or one twice, or has lengths, rows or numbers that no
// certificate can have. Memory is a small multiple of the length of the file,
// whatever sizes it declares. Whether the proof holds is for [Check] to say.
func (c *Certificate) Read(from io.Reader) error {
	// What is no object is refused before a gigabyte of it is in memory.
	r := bufio.NewReader(from)
	if head, err := r.Peek(512); !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
		if err != nil && err != io.EOF {
			return err
		}
		return fmt.Errorf("certificate: not a JSON object: want a file that train --certificate wrote")
	}
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return err
	}
	if len(b) > maxFile {
		return fmt.Errorf("certificate: more than %d bytes: want a smaller file", maxFile)
	}
	f, err := parseFile(b)
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	read, err := f.certificate()
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	*c = *read
	return nil
}

func parseFile(b []byte) (*file, error) {
	// The format and the version first: other versions have other fields.
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, explain(err)
	}
	if head.Format != fileFormat {
		return nil, fmt.Errorf("format = %.80q: want %q", head.Format, fileFormat)
	}
	if head.Version != fileVersion {
		return nil, fmt.Errorf("version = %d: want %d", head.Version, fileVersion)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // numbers are not for checkNames to judge
	if err := checkNames(d, "", reflect.TypeFor[file]()); err != nil {
		return nil, err
	}
	f := new(file)
	if err := json.Unmarshal(b, f); err != nil {
		return nil, explain(err)
	}
	return f, nil
}

// checkNames reads the next value, which has the given name and goes into the
// given type, and refuses names that are not exactly those of its fields, or
// that come twice: package json ignores case and keeps the last. What is no
// object is for package json to judge.
func checkNames(d *json.Decoder, name string, t reflect.Type) error {
	token, err := d.Token()
	if err != nil {
		return explain(err)
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	open, ok := token.(json.Delim)
	if ok && (open != '{' || t.Kind() != reflect.Struct) {
		return fmt.Errorf("%s: a JSON %s: want %s", orDocument(name), map[json.Delim]string{'{': "object", '[': "array"}[open], kindName(t))
	}
	if !ok {
		return nil
	}
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		fields[tag] = t.Field(i).Type
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return explain(err)
		}
		field := token.(string) // as all names of an object are
		inner := strings.TrimPrefix(name+"."+field, ".")
		switch {
		case fields[field] == nil:
			return fmt.Errorf("%.80q: unknown field: want the names that train and store write, in small letters", inner)
		case seen[field]:
			return fmt.Errorf("%q: given twice: want it once", inner)
		}
		seen[field] = true
		if err := checkNames(d, inner, fields[field]); err != nil {
			return err
		}
	}
	_, err = d.Token() // the closing bracket
	if err != nil {
		return explain(err)
	}
	return nil
}

func orDocument(name string) string {
	if name == "" {
		return "document"
	}
	return name
}

// kindName says what JSON value goes into a type.
func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		return "an object"
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "an integer"
	case reflect.Bool:
		return "true or false"
	}
	return "a finite number"
}

// explain names what ended the parsing.
func explain(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a complete JSON document at byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: a JSON %s: want %s", orDocument(kind.Field), kind.Value, kindName(kind.Type))
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

func (f *file) certificate() (*Certificate, error) {
	c := &Certificate{Fingerprint: f.Instance.Fingerprint}
	var err error
	if c.Spec, c.Address, err = f.Instance.parse(); err != nil {
		return nil, err
	}
	if err = validateSizes(c.Spec); err != nil {
		return nil, err
	}
	switch f.Outcome {
	case Stored.String():
		c.Outcome = Stored
		if f.Margin == nil || f.Weights == nil || f.Bound != nil || f.Exact != nil || f.Multipliers != nil {
			return nil, fmt.Errorf("outcome = stored: want margin and weights, and neither bound, exact nor multipliers")
		}
		c.Margin = *f.Margin
		c.Weights, err = f.Weights.parse(c.Spec)
	case NotStorable.String():
		c.Outcome = NotStorable
		if f.Bound == nil || f.Exact == nil || f.Multipliers == nil || f.Margin != nil || f.Weights != nil {
			return nil, fmt.Errorf("outcome = not_storable: want bound, exact and multipliers, and neither margin nor weights")
		}
		c.Bound, c.Exact = *f.Bound, *f.Exact
		c.Multipliers, err = f.Multipliers.parse(c.Spec)
	default:
		err = fmt.Errorf("outcome = %.80q: want stored or not_storable", f.Outcome)
	}
	if err != nil {
		return nil, err
	}
	return c, c.Validate()
}

func (f *instanceFile) parse() (s pattern.Spec, a Address, err error) {
	if f.Model == pattern.Facts.String() {
		for _, field := range [][2]string{{"keys_embedding", f.Keys}, {"values_embedding", f.Values}, {"seed", f.Seed}, {"experiment", f.Experiment}, {"cell", f.Cell}, {"trial", f.Trial}} {
			if field[1] != "" {
				return s, a, fmt.Errorf("%s = %.80q: want it empty with model facts, which are not drawn", field[0], field[1])
			}
		}
		s = pattern.Spec{Model: pattern.Facts, DIn: f.DIn, DOut: f.DOut, P: f.P, N: f.N}
		return s, a, s.Validate()
	}
	if s.Model, err = pattern.ParseModel(f.Model); err != nil {
		return s, a, err
	}
	if s.Keys, err = pattern.ParseEmbedding(f.Keys); err != nil {
		return s, a, err
	}
	if s.Values, err = pattern.ParseEmbedding(f.Values); err != nil {
		return s, a, err
	}
	s.DIn, s.DOut, s.P, s.N = f.DIn, f.DOut, f.P, f.N
	if err = s.Validate(); err != nil {
		return s, a, err
	}
	if a.Seed, err = parseInteger("seed", f.Seed); err != nil {
		return s, a, err
	}
	a.Trial, err = parseInteger("trial", f.Trial)
	a.Experiment, a.Cell = f.Experiment, f.Cell
	return s, a, err
}

func parseInteger(name, s string) (uint64, error) {
	x, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s = %.80q: want a decimal integer from 0 to 2⁶⁴ − 1, as a string", name, s)
	}
	return x, nil
}

func (f *weightsFile) parse(s pattern.Spec) (*learn.Weights, error) {
	w := &learn.Weights{DOut: f.DOut, DIn: f.DIn, Rank: f.Rank}
	// The shape and the length are compared before anything is decoded.
	if w.DOut != s.DOut || w.DIn != s.DIn || w.Rank < 0 || w.Rank > min(s.DIn, s.DOut) {
		return nil, validateWeights(w, s)
	}
	want := float64(s.DOut) * float64(s.DIn)
	if w.Rank > 0 {
		want = (float64(s.DOut) + float64(s.DIn)) * float64(w.Rank)
	}
	b, err := decode("weights", f.Data, want*8)
	if err != nil {
		return nil, err
	}
	w.Parameters = decodeFloats(b)
	return w, nil
}

func (f *multipliersFile) parse(s pattern.Spec) (*Multipliers, error) {
	if most := float64(s.P) * float64(s.N-1); f.Pairs < 1 || float64(f.Pairs) > most {
		return nil, fmt.Errorf("pairs = %d: want 1 to p(n − 1) = %.0f", f.Pairs, most)
	}
	pairs := float64(f.Pairs)
	counts, err := decode("counts", f.Counts, 4*float64(s.P))
	if err != nil {
		return nil, err
	}
	candidates, err := decode("candidates", f.Candidates, 4*pairs)
	if err != nil {
		return nil, err
	}
	values, err := decode("values", f.Values, 8*pairs)
	if err != nil {
		return nil, err
	}
	m := &Multipliers{Start: make([]int, s.P+1), Candidate: make([]int32, f.Pairs), Value: decodeFloats(values)}
	total := 0
	for mu := range s.P {
		n := binary.LittleEndian.Uint32(counts[4*mu:])
		if uint64(n) > uint64(f.Pairs-total) {
			return nil, fmt.Errorf("counts: more than pairs = %d up to input %d: want them to add up to it", f.Pairs, mu)
		}
		total += int(n)
		m.Start[mu+1] = total
	}
	if total != f.Pairs {
		return nil, fmt.Errorf("counts: they add up to %d: want pairs = %d", total, f.Pairs)
	}
	for i := range m.Candidate {
		c := binary.LittleEndian.Uint32(candidates[4*i:])
		if uint64(c) >= uint64(s.N) {
			return nil, fmt.Errorf("candidates: number %d = %d: want 0 to n − 1 = %d", i, c, s.N-1)
		}
		m.Candidate[i] = int32(c)
	}
	return m, nil
}

// decode decodes base64 text that must hold the given number of bytes.
func decode(name, text string, want float64) ([]byte, error) {
	if have := float64(base64.StdEncoding.DecodedLen(len(text))); have < want || have > want+2 {
		return nil, fmt.Errorf("%s: %d characters of base64: want those of %.0f bytes", name, len(text), want)
	}
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: want base64", name, err)
	}
	if float64(len(b)) != want {
		return nil, fmt.Errorf("%s: %d bytes: want %.0f", name, len(b), want)
	}
	return b, nil
}

func decodeFloats(b []byte) []float64 {
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}

func encodeFloats(x []float64) string {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return base64.StdEncoding.EncodeToString(b)
}

func encodeIntegers(x []uint32) string {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return base64.StdEncoding.EncodeToString(b)
}
