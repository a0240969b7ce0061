package equivalence

// Plan chooses a grid: square memories of the given dimensions, nil meaning the default ones,
// and where none are given the shapes with d_in·d_out = 576 too. trials replaces all numbers of
// instances; 0 keeps them, which fall with d as the time of one rises.
func Plan(dimensions []int, trials int, full bool) ([]Storage, []Training) {
	own := dimensions != nil
	if !own {
		dimensions = []int{12, 16, 24}
		if full {
			dimensions = []int{12, 16, 24, 32, 48, 64, 96}
		}
	}
	var storages []Storage
	var trainings []Training
	for _, d := range dimensions {
		n := counts(d, full)
		if trials > 0 {
			n = plan{trials, trials, trials, max(2, trials)}
		}
		shape := Shape{d, d}
		storages = append(storages, Storage{Shape: shape, Trials: n.op, DPTrials: n.dp, NearTrials: n.near})
		if n.trained > 0 {
			trainings = append(trainings, Training{Shape: shape, Load: TrainingLoad, Trials: n.trained})
		}
	}
	if own {
		return storages, trainings
	}
	rectangles := []Shape{{48, 12}, {12, 48}}
	n := 16
	if full {
		rectangles, n = []Shape{{48, 12}, {36, 16}, {16, 36}, {12, 48}, {8, 72}}, 60
	}
	if trials > 0 {
		n = trials
	}
	for _, s := range rectangles {
		storages = append(storages, Storage{Shape: s, Trials: n})
	}
	return storages, trainings
}

// TrainingLoad is the p/p_c at which memories are trained by default.
const TrainingLoad = 1.3

// plan holds numbers of instances: at each load of a curve, at the load next to p_c, trained.
type plan struct{ op, dp, near, trained int }

// counts are the default numbers, about as much time for each d from 24 on: DP's pools are p
// times as large as OP's, so that it is left to its theory at large d.
func counts(d int, full bool) plan {
	switch {
	case !full && d <= 16:
		return plan{40, 40, 100, 40}
	case !full && d <= 24:
		return plan{24, 0, 40, 20}
	case !full:
		return plan{12, 0, 12, 8}
	case d <= 24:
		return plan{200, 100, 400, 100}
	case d <= 32:
		return plan{100, 40, 100, 60}
	case d <= 48:
		return plan{60, 0, 40, 30}
	case d <= 64:
		return plan{40, 0, 16, 12}
	}
	return plan{30, 0, 0, 0}
}
