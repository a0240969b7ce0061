package facts

import (
	"context"
	"math"

	"lamcap/harness/predict"
	"lamcap/saddle/anisotropy"
)

// MarginPrediction is the largest margin that Gaussian vectors would have.
type MarginPrediction struct {
	// Theory is gaussian, for isotropic vectors of these ranks and mean squares, or
	// gaussian_spectra, for vectors of these spectra: of the second moments of the keys
	// and of the covariance of the values.
	Theory string
	// Margin is in the units of the vectors, with an error; 0 above p_c, NaN where none is
	// predicted.
	Margin, Error float64
	// Level is score (d → ∞) or corrected (finite d).
	Level string
	// Dimension is N_eff, the number of directions that the margin uses, and Hebb the
	// number that stands for d_in d_out in the recall by Hebb's rule,
	// [anisotropy.HebbDimension]. NaN where there is none.
	Dimension, Hebb float64
}

// PredictMargins adds to a theory the largest margins that Gaussian vectors would
// have, which take seconds. See [Theory.Margins]; where the spectra leave none, as
// for one fact, a note says why.
func (f *Facts) PredictMargins(ctx context.Context, t *Theory) {
	f.predictMargins(ctx, t, f.gaussian(t, "", false))
}

func (f *Facts) predictMargins(ctx context.Context, t *Theory, g Gaussian) {
	t.Margins, t.MarginNote = nil, g.Note
	if g.Level == "" && !(g.Load >= 1) || ctx.Err() != nil {
		return
	}
	n, nan := float64(t.Keys.Rank)*float64(t.Values.Rank), math.NaN()
	t.Margins = append(t.Margins, MarginPrediction{Theory: "gaussian", Margin: g.Margin, Error: g.MarginError, Level: g.Level, Dimension: n, Hebb: n})
	spectra := MarginPrediction{Theory: "gaussian_spectra", Margin: g.Margin, Error: g.MarginError, Level: g.Level, Dimension: n, Hebb: anisotropy.HebbDimension(t.Keys.spectrum, t.Values.spectrum)}
	if g.Load < 1 {
		s := anisotropy.Spectra{Keys: t.Keys.spectrum, Values: t.Values.spectrum}
		spec := f.instance.Spec()
		m, err := anisotropy.Margin(s, float64(spec.P), float64(spec.N))
		spectra.Margin, spectra.Error, spectra.Dimension = m.Margin, m.Error, m.Dimension
		if err == nil && g.Level == predict.CorrectedLevel {
			at, atErr := anisotropy.MarginAtDimensions(s, float64(spec.P), float64(spec.N))
			if spectra.Margin, spectra.Error = at.Value, at.Error; atErr != nil { // d_in below 8
				spectra.Margin, spectra.Error, spectra.Level = m.Margin, m.Error, predict.ScoreLevel
			}
		}
		if err != nil {
			spectra.Margin, spectra.Error, spectra.Dimension = nan, nan, nan
			t.MarginNote = "No margin for these spectra: " + err.Error() + "."
		}
		unit := math.Ldexp(1, f.exponent)
		spectra.Margin *= unit
		spectra.Error *= unit
	}
	t.Margins = append(t.Margins, spectra)
}
