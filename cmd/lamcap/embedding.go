package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lamcap/harness/pattern"
)

// embeddingFlag adds --embedding, the distributions of keys and values.
func embeddingFlag(c *cobra.Command, text *string) {
	c.Flags().StringVar(text, "embedding", "gaussian", "gaussian or sphere (norm √d); keys,values when they differ")
}

// embeddings reads --embedding.
func embeddings(text string) (keys, values pattern.Embedding, err error) {
	k, v, two := strings.Cut(text, ",")
	if !two {
		v = k
	}
	if keys, err = pattern.ParseEmbedding(k); err != nil {
		return
	}
	values, err = pattern.ParseEmbedding(v)
	return
}
