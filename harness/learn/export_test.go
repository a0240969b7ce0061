package learn

// NewObjectiveAt is NewObjectiveWith at a given instruction set.
var NewObjectiveAt = newObjective
