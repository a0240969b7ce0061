// Package mathtext sets the plain text of tables and reports as HTML: what has a
// meaning there is escaped, names with an index or an exponent (p_c, N_eff, 10^300)
// become subscripts and superscripts, and `code` becomes code.
package mathtext
