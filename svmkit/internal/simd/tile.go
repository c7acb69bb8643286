package simd

// The tiles of the Gaussian kernel: many rows against a group of others, products, exponentials and
// the weighted sum in one go, so that a value of the kernel is used while it is in a register and
// never stored.
//
// Every tile computes K = 2^E, E = Σₖ x[k]·z[k]. With c = √(2γ·log₂e) the kernel exp(−γ‖x−z‖²) is
// of this form: the columns are cx and cz, and two more, (−½‖cx‖², 1) and (1, −½‖cz‖²). A tile
// knows nothing of that. E must not exceed 127 in float32, 1023 in float64; below −126 or −1022
// the result may be 0.
//
// AVX-512 was chosen on the kernel rows spambase, 43 % slower with AVX2 in all tiles, and drawn,n=3000,d=200: with AVX2
// GaussSums32 alone 25 %, GaussSums64 24 %, GaussBlock32 6 % (19 % on letter).
//
// # Layout
//
// A panel is Panel32 rows of d float32, or Panel64 of float64, side by side: number k of row r
// stands at panel[k·Panel32 + r]. The other rows, z, come in groups of TileGroup: number k of row j
// of group g stands at z[(g·d + k)·TileGroup + j]. What is missing in the last panel or
// group is filled with zeros, and has weight 0.

const (
	Panel32   = 32 // rows of a panel in float32: two registers of AVX-512
	Panel64   = 16 // and in float64
	TileGroup = 12 // rows of the other side that a tile takes at a time: with two registers each, 24 of AVX-512's 32
)

// GaussSums32 adds Σⱼ weight[j]·2^⟨xᵣ,zⱼ⟩ to sum[r], for the Panel32 rows of a panel. d ≥ 1 is the
// number of columns; len(panel) = d·Panel32, len(weight) is a multiple of TileGroup and len(z) =
// d·len(weight). The sum over j is formed in float32 and then added: let a call have no more than a few
// hundred weights.
//
// The error of a 2^E is at most 2.5e-7 of it, beside that of E, (d+1)·2⁻²⁴·Σₖ|xₖzₖ|·ln 2.
func GaussSums32(sum []float64, panel, z, weight []float32, d int) {
	checkTile(len(sum), len(panel), len(z), len(weight), d, Panel32)
	gaussSums32(sum, panel, z, weight, d)
}

// GaussBlock32 sets to[j·Panel32 + r] = 2^⟨xᵣ,zⱼ⟩ for the rows of a panel and whole groups of z:
// len(z) = d·m, len(to) = m·Panel32 with m a multiple of TileGroup.
func GaussBlock32(to, panel, z []float32, d int) {
	checkTile(Panel32, len(panel), len(z), len(to)/Panel32, d, Panel32)
	if len(to)%Panel32 != 0 {
		panic("simd: a block of no whole rows")
	}
	gaussBlock32(to, panel, z, d)
}

// GaussSums64 is GaussSums32 in float64 throughout, with panels of Panel64 rows. The error of a
// 2^E is at most 1e-15 of it, beside that of E.
func GaussSums64(sum, panel, z, weight []float64, d int) {
	checkTile(len(sum), len(panel), len(z), len(weight), d, Panel64)
	gaussSums64(sum, panel, z, weight, d)
}

// Parts64 is how many numbers GaussBoth64 spreads the sum of a row of z over.
const Parts64 = 8

// GaussBoth64 is GaussSums64 that uses every value for the row of z, too: with the weights own of the rows
// of the panel, Σᵣ own[r]·2^⟨xᵣ,zⱼ⟩ is added to the numbers parts[j·Parts64:][:Parts64], to their total. So a
// square of values need be computed only half.
func GaussBoth64(sum, panel, z, weight []float64, d int, own, parts []float64) {
	checkTile(len(sum), len(panel), len(z), len(weight), d, Panel64)
	if len(own) != Panel64 || len(parts) != Parts64*len(weight) {
		panic("simd: lengths of a tile do not match")
	}
	gaussBoth64(sum, panel, z, weight, d, own, parts)
}

func checkTile(sums, panel, z, weights, d, lanes int) {
	if d < 1 || sums != lanes || panel != d*lanes || weights%TileGroup != 0 || z != d*weights {
		panic("simd: lengths of a tile do not match")
	}
}
