package simd

// The tiles of the Gaussian kernel compute products, exponentials and the weighted sum of many rows
// against a group of others in one pass. A kernel value is used while it is in a register and is
// never stored.
//
// Every tile computes K = 2^E, E = Σₖ x[k]·z[k]. With c = √(2γ·log₂e) the kernel exp(−γ‖x−z‖²) has
// this form: the columns are cx and cz, and two more columns hold (−½‖cx‖², 1) and (1, −½‖cz‖²).
// The tiles do not depend on this. E must not exceed 127 in float32 and 1023 in float64; below −126
// and −1022 the result may be 0.
//
// With AVX2 instead of AVX-512 in all tiles, spambase takes 43 % longer. On the drawn set, AVX2 in
// GaussSums32 alone takes 25 % longer, in GaussSums64 24 %, and in GaussBlock32 6 % (19 % on
// letter). Benchmark:
//
//	go run -C tools ./bench -rows kernel spambase letter drawn,n=3000,d=200
//
// # Layout
//
// A panel is Panel32 rows of d float32, or Panel64 rows of float64, side by side: number k of row r
// is panel[k·Panel32 + r]. The other rows, z, come in groups of TileGroup: number k of row j of
// group g is z[(g·d + k)·TileGroup + j]. Missing rows of the last panel or group are filled with
// zeros and have weight 0.

const (
	Panel32 = 32 // rows of a panel in float32: two registers of AVX-512
	Panel64 = 16 // rows of a panel in float64
	// TileGroup is how many rows of the other side a tile takes at a time. With two registers each
	// they use 24 of the 32 registers of AVX-512.
	TileGroup = 12
)

// GaussSums32 adds Σⱼ weight[j]·2^⟨xᵣ,zⱼ⟩ to sum[r], for the Panel32 rows of a panel. d ≥ 1 is the
// number of columns; len(panel) = d·Panel32, len(weight) is a multiple of TileGroup and len(z) =
// d·len(weight). The sum over j is formed in float32 and then added, so a call should have no more
// than a few hundred weights.
//
// The relative error of a 2^E is at most 2.5e-7, besides the error of E, (d+1)·2⁻²⁴·Σₖ|xₖzₖ|·ln 2.
func GaussSums32(sum []float64, panel, z, weight []float32, d int) {
	checkTile(len(sum), len(panel), len(z), len(weight), d, Panel32)
	gaussSums32(sum, panel, z, weight, d)
}

// GaussBlock32 sets to[j·Panel32 + r] = 2^⟨xᵣ,zⱼ⟩ for the rows of a panel and whole groups of z:
// len(z) = d·m and len(to) = m·Panel32, where m is a multiple of TileGroup.
func GaussBlock32(to, panel, z []float32, d int) {
	checkTile(Panel32, len(panel), len(z), len(to)/Panel32, d, Panel32)
	if len(to)%Panel32 != 0 {
		panic("simd: a block of no whole rows")
	}
	gaussBlock32(to, panel, z, d)
}

// GaussSums64 is GaussSums32 in float64 throughout, with panels of Panel64 rows. The relative error
// of a 2^E is at most 1e-15, besides the error of E.
func GaussSums64(sum, panel, z, weight []float64, d int) {
	checkTile(len(sum), len(panel), len(z), len(weight), d, Panel64)
	gaussSums64(sum, panel, z, weight, d)
}

// Parts64 is the number of parts into which GaussBoth64 divides the sum for a row of z.
const Parts64 = 8

// GaussBoth64 is GaussSums64, but also uses every value for the row of z: it adds Σᵣ
// own[r]·2^⟨xᵣ,zⱼ⟩, where own are the weights of the rows of the panel, to the total of
// parts[j·Parts64:][:Parts64]. So only half of a square of values has to be computed.
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
