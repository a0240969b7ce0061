// Package processgroup starts commands whose children end with them.
package processgroup
