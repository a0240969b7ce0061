package embedding_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"lamcap/internal/embedding"
)

func TestNames(t *testing.T) {
	for _, k := range []embedding.Kind{embedding.Gaussian, embedding.Sphere} {
		parsed, err := embedding.Parse(k.String())
		require.NoError(t, err)
		assert.Equal(t, k, parsed)
		assert.True(t, k.Valid())
	}
	k, err := embedding.Parse("Sphere")
	require.NoError(t, err)
	assert.Equal(t, embedding.Sphere, k)
	_, err = embedding.Parse("unit")
	assert.EqualError(t, err, "embedding = unit: want gaussian or sphere")
	assert.Equal(t, "embedding(7)", embedding.Kind(7).String())
	assert.False(t, embedding.Kind(-1).Valid())
}
