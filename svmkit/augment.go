package svmkit

// Augment returns s with one more column that holds the constant c in every row.
//
// A plane through the origin of ℝᵈ⁺¹ is then a plane with bias in ℝᵈ, and for c = 1 the last entry
// of its normal is b. Labels, weights and names are kept. The new feature has the name "1".
//
// Augmenting adds c² to every ‖xᵢ‖², and it changes the margin. For a plane (w, b) that separates
// s, the augmented margin is min yᵢf(xᵢ) / √(‖w‖² + b²/c²).
func (s *Dataset) Augment(c float64) *Dataset {
	t := &Dataset{X: make([]Row, len(s.X)), Y: s.Y, Weight: s.Weight, Dim: s.Dim + 1,
		Classes: s.Classes, Label: s.Label}
	if s.Features != nil {
		t.Features = append(append(make([]string, 0, t.Dim), s.Features...), "1")
	}
	values := make([]float64, 0, s.NNZ()+len(s.X))
	var index []int32
	for i, x := range s.X {
		from := len(values)
		values = append(append(values, x.Value...), c)
		t.X[i].Value = values[from:len(values):len(values)]
		if x.Index != nil {
			if index == nil {
				index = make([]int32, 0, cap(values))
			}
			from := len(index)
			index = append(append(index, x.Index...), int32(s.Dim))
			t.X[i].Index = index[from:len(index):len(index)]
		}
	}
	return t
}
