// Package text turns documents into rows with one column per term:
//
//	v, err := text.FitTFIDF(train, text.Options{MinDocs: 2})
//	…
//	rows := v.Rows(test) // sparse, of length 1; v.Terms() names their columns
//
// Terms are words as [Tokenize] cuts them, or, by [Options], n-grams of words or of characters.
// [FitTFIDF] learns from the training documents which terms there are and how rare each is. The
// [Vectorizer] that it returns maps any document to a sparse row of unit length.
//
// # The weights
//
// For n training documents, of which df(t) hold the term t at least once, and a document
// in which t occurs tf(t) times,
//
//	idf(t) = ln((1 + n) / (1 + df(t))) + 1
//	x_t    = tf(t) · idf(t)                  (1 + ln tf(t) in place of tf(t) if Sublinear)
//	row    = x / ‖x‖                         Euclidean norm
//
// The ones inside the fraction act as one more document that holds every term; the one outside keeps
// a term that is in every document from vanishing.
//
// Sources: K. Spärck Jones, "A statistical interpretation of term specificity and its application in
// retrieval", Journal of Documentation 28 (1972); G. Salton and C. Buckley, "Term-weighting
// approaches in automatic text retrieval", Information Processing & Management 24 (1988). The
// smoothed idf is the default of scikit-learn's TfidfVectorizer (smooth_idf=True, norm="l2").
package text
