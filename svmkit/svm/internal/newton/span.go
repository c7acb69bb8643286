package newton

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Span is the proximal point method for fewer rows than columns. There w = Σβᵢxᵢ lies in the span
// of the rows. Let XXᵀ = LLᵀ be a Cholesky factorisation of their inner products. The problem whose
// rows are the rows of L, which has at most n columns, has the same objectives for the same β. The
// certificate of this β is made from X. Span costs n/4 passes over the data for XXᵀ, n³/3 for L,
// and then the steps of [ProximalNewton] on n × n values.
type Span struct{}

func (Span) Name() string { return "proximal Newton in the span of the rows" }

func (Span) Accepts(f core.Form) error {
	f.Dim = 0 // the reduced problem has at most as many columns as rows
	return ProximalNewton{}.Accepts(f)
}

// SpanCost is about the cost of Span, as a number of passes of coordinate descent, which take four
// operations per value. XXᵀ takes n operations per value, and L and some forty Newton steps take
// 16n³.
func SpanCost(t *core.Task) int {
	n, values := float64(t.Len()), 0.0
	for i := range t.X {
		values += float64(len(t.X[i].Value))
	}
	return int(min(n/4+4*n*n*n/max(values, 1), math.MaxInt32))
}

func (Span) Solve(t *core.Task, r *core.Run) error {
	gram, err := innerProducts(t, r)
	if err != nil {
		// There is no error as long as the squares of the norms are finite.
		return err
	}
	reduced := *t
	reduced.Rows = nil
	if reduced.X, reduced.Dim = factorRows(gram, r); r.Ended() {
		return nil
	}
	on := r.Sub(&reduced)
	if err := (ProximalNewton{}).Solve(&reduced, on); err != nil {
		return err
	}
	if r.Adopt(on); !r.Check() {
		r.Stall("the inner products of the rows are not exact enough")
	}
	return nil
}

// innerProducts returns ⟨xᵢ,xⱼ⟩, j ≤ i, in row i.
func innerProducts(t *core.Task, r *core.Run) ([][]float64, error) {
	rows, gram, errs := t.KernelRows(), make([][]float64, t.Len()), make([]error, core.MostParts)
	t.Workers.Do(core.MostParts, func(part int) {
		evaluator := rows.Evaluator()
		for i := part; i < len(gram) && errs[part] == nil &&
			r.Ctx.Err() == nil; i += core.MostParts {
			gram[i] = make([]float64, i+1)
			errs[part] = evaluator.Row(gram[i], i, rows.All[:i+1])
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return gram, nil
}

// factorRows returns the rows of L, gram = LLᵀ, and how many columns they have. It is Cholesky's
// method with the largest entry of the diagonal first. It ends when the rest of the diagonal is
// rounding.
func factorRows(gram [][]float64, r *core.Run) (rows []svmkit.Row, columns int) {
	n := len(gram)
	rest, factor := make([]float64, n), make([][]float64, n) // rest: the diagonal of gram − LLᵀ
	for i := range gram {
		if r.Ended() {
			return nil, 0
		}
		rest[i], factor[i] = gram[i][i], make([]float64, n)
	}
	least, done := 0.0, make([]bool, n)
	for ; columns < n && !r.Ended(); columns++ {
		p := -1
		for i, v := range rest {
			if !done[i] && (p < 0 || v > rest[p]) {
				p = i
			}
		}
		if columns == 0 {
			least = float64(n) * core.Roundoff * rest[p]
		}
		if !(rest[p] > least) {
			break
		}
		pivot, root := factor[p][:columns], math.Sqrt(rest[p])
		for i, row := range factor {
			if done[i] || i == p {
				continue
			}
			row[columns] = (gram[max(i, p)][min(i, p)] - simd.Dot(row[:columns], pivot)) / root
			rest[i] -= row[columns] * row[columns]
		}
		factor[p][columns], done[p] = root, true
	}
	for _, row := range factor {
		rows = append(rows, svmkit.Dense(row[:columns]...))
	}
	return rows, columns
}
