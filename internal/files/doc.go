// Package files writes files whole or not at all, and asks beforehand whether it can.
package files
