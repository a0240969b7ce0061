package table

// The tables of this file are only read. raised and lowered are Unicode's
// ready-made scripts.
var (
	raised = map[rune]string{
		'⁰': "0", '¹': "1", '²': "2", '³': "3", '⁴': "4", '⁵': "5", '⁶': "6", '⁷': "7", '⁸': "8", '⁹': "9",
		'⁺': "+", '⁻': "-", '⁽': "(", '⁾': ")", 'ⁿ': "n", 'ⁱ': "i", 'ᵀ': "T", '′': "\\prime ",
	}
	lowered = map[rune]string{
		'₀': "0", '₁': "1", '₂': "2", '₃': "3", '₄': "4", '₅': "5", '₆': "6", '₇': "7", '₈': "8", '₉': "9",
		'₊': "+", '₋': "-", 'ₙ': "n", 'ₖ': "k", 'ₘ': "m", 'ₚ': "p", 'ᵢ': "i", 'ⱼ': "j",
	}
)

// greekLetter returns the math of a letter that is not Latin.
func greekLetter(r rune) (string, bool) {
	s, ok := greekLetters[r]
	return s, ok
}

var greekLetters = map[rune]string{
	'α': "\\alpha", 'β': "\\beta", 'γ': "\\gamma", 'δ': "\\delta", 'ε': "\\varepsilon", 'ϵ': "\\epsilon",
	'ζ': "\\zeta", 'η': "\\eta", 'θ': "\\theta", 'ϑ': "\\vartheta", 'ι': "\\iota", 'κ': "\\kappa",
	'λ': "\\lambda", 'μ': "\\mu", 'µ': "\\mu", 'ν': "\\nu", 'ξ': "\\xi", 'ο': "o", 'π': "\\pi",
	'ρ': "\\rho", 'σ': "\\sigma", 'ς': "\\varsigma", 'τ': "\\tau", 'υ': "\\upsilon", 'φ': "\\varphi",
	'ϕ': "\\phi", 'χ': "\\chi", 'ψ': "\\psi", 'ω': "\\omega",
	'Α': "\\mathrm{A}", 'Β': "\\mathrm{B}", 'Γ': "\\Gamma", 'Δ': "\\Delta", 'Ε': "\\mathrm{E}",
	'Ζ': "\\mathrm{Z}", 'Η': "\\mathrm{H}", 'Θ': "\\Theta", 'Ι': "\\mathrm{I}", 'Κ': "\\mathrm{K}",
	'Λ': "\\Lambda", 'Μ': "\\mathrm{M}", 'Ν': "\\mathrm{N}", 'Ξ': "\\Xi", 'Ο': "\\mathrm{O}", 'Π': "\\Pi",
	'Ρ': "\\mathrm{P}", 'Σ': "\\Sigma", 'Τ': "\\mathrm{T}", 'Υ': "\\Upsilon", 'Φ': "\\Phi",
	'Χ': "\\mathrm{X}", 'Ψ': "\\Psi", 'Ω': "\\Omega",
	'ℓ': "\\ell", 'ℝ': "\\mathbf{R}", '∂': "\\partial", '∇': "\\nabla", '∞': "\\infty",
	'∑': "\\sum", '∏': "\\prod", '∫': "\\int",
}

// accentOf returns the macro of a combining mark over a letter.
func accentOf(r rune) (string, bool) {
	s, ok := accents[r]
	return s, ok
}

var accents = map[rune]string{
	'\u0302': "\\hat", '\u0303': "\\tilde", '\u0304': "\\bar", '\u0305': "\\overline",
	'\u0307': "\\dot", '\u0308': "\\ddot", '\u20d7': "\\vec",
}

// mathSymbol returns the math of relations, operators and delimiters.
func mathSymbol(r rune) (string, bool) {
	s, ok := mathSymbols[r]
	return s, ok
}

var mathSymbols = map[rune]string{
	'≤': "\\le", '≥': "\\ge", '≠': "\\ne", '≈': "\\approx", '≡': "\\equiv", '∼': "\\sim", '∝': "\\propto",
	'≪': "\\ll", '≫': "\\gg", '±': "\\pm", '∓': "\\mp", '×': "\\times", '÷': "\\div", '·': "\\cdot",
	'∗': "\\ast", '∘': "\\circ", '−': "-", '→': "\\to", '←': "\\leftarrow", '↔': "\\leftrightarrow",
	'⇒': "\\Rightarrow", '∈': "\\in", '∉': "\\notin", '⊂': "\\subset", '∩': "\\cap", '∪': "\\cup",
	'‖': "\\Vert", '⟨': "\\langle", '⟩': "\\rangle", '⌊': "\\lfloor", '⌋': "\\rfloor",
	'⌈': "\\lceil", '⌉': "\\rceil", '½': "\\frac{1}{2}", '¼': "\\frac{1}{4}", '¾': "\\frac{3}{4}",
	'⅓': "\\frac{1}{3}", '⅔': "\\frac{2}{3}", '⅛': "\\frac{1}{8}", '°': "{}^\\circ", '∀': "\\forall",
	'∃': "\\exists", '¬': "\\neg", '⊥': "\\perp", '†': "\\dagger", '\ufffd': "?",
}
