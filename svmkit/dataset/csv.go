package dataset

// field is one field of a line. text is valid until the next field is read.
type field struct {
	text   []byte
	quoted bool
	last   bool // of its line
	at     place
}

// fields reads a table field by field.
type fields struct {
	*source
	comma  byte
	stop   [256]bool // comma and newline
	quoted []byte    // scratch of a quoted field
}

func (p *fields) setComma(comma byte) {
	p.comma = comma
	p.stop = [256]bool{'\n': true}
	p.stop[comma] = true
}

// guessComma returns the separator of the first line, as far as it is in the window.
func (p *fields) guessComma() byte {
	seen, inQuotes := [256]bool{}, false
	for _, c := range p.firstLine() {
		if c == '"' {
			inQuotes = !inQuotes
		} else if !inQuotes {
			seen[c] = true
		}
	}
	switch {
	case seen['\t']:
		return '\t'
	case seen[';']:
		return ';'
	}
	return ','
}

// field reads the next field and the separator behind it.
func (p *fields) field() (f field, err error) {
	for p.more() { // blanks, as far as they do not separate
		if c := p.buf[p.pos]; c != ' ' && c != '\t' || c == p.comma {
			break
		}
		p.pos++
	}
	f.at = p.place()
	if p.more() && p.buf[p.pos] == '"' {
		if f.text, err = p.quote(f.at); err != nil {
			return f, err
		}
		f.quoted = true
		for p.more() {
			if c := p.buf[p.pos]; c != ' ' && c != '\t' && c != '\r' || c == p.comma {
				break
			}
			p.pos++
		}
		if p.more() && !p.stop[p.buf[p.pos]] {
			after := caseOf(ErrQuote, ": text after the closing quote")
			return f, p.errorAt(p.place(), p.buf[p.pos:p.pos+1], after)
		}
	} else {
		text, ok := p.until(&p.stop)
		if !ok {
			return f, p.errorAt(f.at, text, ErrTooLong)
		}
		p.pos += len(text)
		for n := len(text); n > 0 && (text[n-1] == ' ' || text[n-1] == '\t' || text[n-1] == '\r'); n-- {
			text = text[:n-1]
		}
		f.text = text
	}
	switch {
	case p.pos == p.end: // until and more read on, so this is the end of the text
		f.last = true
		return f, p.failure()
	case p.buf[p.pos] == '\n':
		f.last = true
		p.newline()
	default:
		p.pos++
	}
	return f, nil
}

// quote reads a quoted field; pos is at its opening quote.
func (p *fields) quote(at place) ([]byte, error) {
	p.pos++
	p.quoted = p.quoted[:0]
	for p.more() {
		c := p.buf[p.pos]
		if c == '\n' {
			p.newline()
		} else {
			p.pos++
		}
		if c == '"' {
			if !p.more() || p.buf[p.pos] != '"' {
				return p.quoted, nil
			}
			p.pos++
		}
		if len(p.quoted) == window {
			return nil, p.errorAt(at, p.quoted, caseOf(ErrTooLong, ": is the closing quote missing?"))
		}
		p.quoted = append(p.quoted, c)
	}
	if err := p.failure(); err != nil {
		return nil, err
	}
	return nil, p.errorAt(at, p.quoted, caseOf(ErrQuote, ": no closing quote"))
}
