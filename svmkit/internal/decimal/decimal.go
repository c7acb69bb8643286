// Package decimal reads decimal numbers faster than package strconv, to the same bits.
package decimal

import (
	"math"
	"math/bits"
	"strconv"
)

// Parse reads a whole decimal number: [+-] digits [. digits] [e [+-] digits], with at least one
// digit before or after the point. It returns the float64 nearest to the number, as strconv does,
// which is infinite on overflow. It returns false if the text is something else.
//
// Short numbers take the exact paths of [quotient] and, with a positive exponent, of Clinger. All
// other numbers go to strconv.
func Parse(b []byte) (float64, bool) {
	i, negative := 0, false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative, i = b[0] == '-', 1
	}
	mantissa, first := uint64(0), i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		mantissa = mantissa*10 + uint64(b[i]-'0')
		i++
	}
	digits, exponent := i-first, 0
	if i < len(b) && b[i] == '.' {
		i++
		first = i
		for i < len(b) && '0' <= b[i] && b[i] <= '9' {
			mantissa = mantissa*10 + uint64(b[i]-'0')
			i++
		}
		exponent = first - i
		digits += i - first
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		e, n := parseExponent(b[i+1:])
		if n == 0 {
			return 0, false
		}
		exponent += e
		i += 1 + n
	}
	if i != len(b) {
		return 0, false
	}
	if digits <= mostDigits && exponent <= 0 &&
		(mantissa <= exactIntegers && -22 <= exponent || -mostDigits <= exponent) {
		return signed(quotient(mantissa, -exponent), negative), true
	}
	if digits <= mostDigits && mantissa <= exactIntegers && 0 < exponent && exponent <= 22 {
		return signed(float64(mantissa)*powersOfTen[exponent], negative), true
	}
	v, _ := strconv.ParseFloat(string(b), 64) // the syntax is checked, so an error is an overflow
	return v, true
}

func signed(v float64, negative bool) float64 {
	if negative {
		return -v
	}
	return v
}

const (
	mostDigits    = 19      // of a mantissa that certainly fits into 64 bits
	exactIntegers = 1 << 53 // up to here every integer is a float64
)

// quotient returns the float64 nearest to m/10ᵏ, for k ≤ 22 if m is at most exactIntegers, and for
// k ≤ 19 otherwise. In the first case both numbers are float64, so the IEEE division rounds once,
// correctly (Clinger, "How to read floating point numbers accurately", PLDI 1990). In the second
// case, long division gives 64 or 63 bits of the quotient. If there is a remainder, the last bit is
// set, which makes the rounding to 53 bits correct.
func quotient(m uint64, k int) float64 {
	if m <= exactIntegers {
		return float64(m) / powersOfTen[k]
	}
	divisor := integerPowers[k]
	shift := bits.LeadingZeros64(divisor) - bits.LeadingZeros64(m)
	divisor <<= bits.LeadingZeros64(divisor)
	m <<= bits.LeadingZeros64(m)
	// Both numbers are now in 2⁶³ … 2⁶⁴, so m·2⁶³/divisor is in 2⁶² … 2⁶⁴.
	digits, remainder := bits.Div64(m>>1, m<<63, divisor)
	if remainder != 0 {
		digits |= 1
	}
	return float64(digits) * powerOfTwo(shift-63)
}

// powerOfTwo returns 2ᵏ for |k| < 1000.
func powerOfTwo(k int) float64 { return math.Float64frombits(uint64(1023+k) << 52) }

var integerPowers = func() (p [mostDigits + 1]uint64) {
	p[0] = 1
	for k := range mostDigits {
		p[k+1] = 10 * p[k]
	}
	return p
}()

var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseExponent reads [+-] digits from the start of b and returns the number and how many bytes it
// read; 0 bytes if there is no digit. Numbers are cut at 10⁶, because all numbers beyond it
// overflow.
func parseExponent(b []byte) (e, n int) {
	sign := 1
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		if b[0] == '-' {
			sign = -1
		}
		n = 1
	}
	first := n
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		e = min(e*10+int(b[n]-'0'), 1_000_000)
		n++
	}
	if n == first {
		return 0, 0
	}
	return sign * e, n
}

// Short reads the digits, with or without a sign and a point, that start at text[i], and returns
// where they end. It returns −1 if there are no digits or more than 19. A byte that cannot be part
// of a number must follow.
func Short(text []byte, i int) (v float64, end int) {
	negative := false
	if c := text[i]; c == '-' || c == '+' {
		negative = c == '-'
		i++
	}
	mantissa, first := uint64(0), i
	for d := text[i] - '0'; d <= 9; d = text[i] - '0' {
		mantissa = mantissa*10 + uint64(d)
		i++
	}
	digits, decimals := i-first, 0
	if text[i] == '.' {
		i++
		point := i
		for d := text[i] - '0'; d <= 9; d = text[i] - '0' {
			mantissa = mantissa*10 + uint64(d)
			i++
		}
		decimals = i - point
		digits += decimals
	}
	if digits == 0 || digits > mostDigits {
		return 0, -1
	}
	return signed(quotient(mantissa, decimals), negative), i
}
