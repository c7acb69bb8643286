// Package text turns documents into sparse rows with one column per term, weighted by tf-idf:
//
//	docs := []string{"the cat sat", "the cat ran", "the bird sang"}
//	v, err := text.FitTFIDF(docs, text.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	rows := v.Rows([]string{"The bird and the dog sang"})
//	fmt.Println(v.Terms(), rows[0].Index)
//
// Terms are words, cut by [Tokenize], or with [Options] n-grams of words or of characters.
// [FitTFIDF] learns the terms and their rarity from the training documents. It returns a
// [Vectorizer], which maps any document to a sparse row of unit length.
//
// # The weights
//
// Let n be the number of training documents, df(t) the number of them that contain the term t, and
// tf(t) the number of times that t occurs in a document.
//
//	idf(t) = ln((1 + n) / (1 + df(t))) + 1
//	x_t    = tf(t) · idf(t)                  (1 + ln tf(t) in place of tf(t) if Sublinear)
//	row    = x / ‖x‖                         Euclidean norm
//
// The ones inside the fraction act as one more document that holds every term. The one outside
// keeps a term that is in every document from vanishing.
//
// Sources: K. Spärck Jones, "A statistical interpretation of term specificity and its application
// in retrieval", Journal of Documentation 28 (1972); G. Salton and C. Buckley, "Term-weighting
// approaches in automatic text retrieval", Information Processing & Management 24 (1988). The
// smoothed idf is the default of scikit-learn's TfidfVectorizer (smooth_idf=True, norm="l2").
package text
