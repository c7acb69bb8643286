package samples

import "slices"

// Info says what a set is and where it comes from.
type Info struct {
	Name     string // of the function that returns the set: "Iris"
	File     string // in this package's folder data
	Rows     int    // n of the dataset that the function returns
	Cols     int    // d of that dataset; 0 for SMS, whose columns are the terms found
	Source   string // where the data are published
	Licence  string // SPDX identifier
	Citation string // the form that the source asks for, and the paper behind it
	SHA256   string // of the file as it was obtained, hexadecimal
	Stored   string // SHA-256 of the file in data; not SHA256 if it was compressed for this package
}

// All lists the sets, in the order of the package's table.
func All() []Info { return slices.Clone(all) }

const (
	ccBy4 = "CC-BY-4.0"
	cc0   = "CC0-1.0"
)

var all = []Info{
	{
		Name: "Iris", File: "iris.csv", Rows: 150, Cols: 4, Licence: ccBy4,
		Source: "UCI Machine Learning Repository, https://doi.org/10.24432/C56C76; file as " +
			"distributed with scikit-learn",
		Citation: "Fisher, R. A. (1936). The use of multiple measurements in taxonomic problems. " +
			"Annals of Eugenics 7(2), 179-188.",
		SHA256: "f13ffa8fdd56fd8e6c8d16d4081a3fbd3114bcd0aae4256c43205169cd9d1449",
		Stored: "f13ffa8fdd56fd8e6c8d16d4081a3fbd3114bcd0aae4256c43205169cd9d1449",
	},
	{
		Name: "Wine", File: "wine.csv", Rows: 178, Cols: 13, Licence: ccBy4,
		Source: "UCI Machine Learning Repository, https://doi.org/10.24432/C5PC7J; file as " +
			"distributed with scikit-learn",
		Citation: "Aeberhard, S. and Forina, M. (1992). Wine. UCI Machine Learning Repository. " +
			"Forina, M., Armanino, C., Castino, M. and Ubigli, M. (1986). Multivariate data analysis as a " +
			"discriminating method of the origin of wines. Vitis 25, 189-201.",
		SHA256: "10e8a802908b34f86e5da8ce962f3c806694bc98450a18f61851af59f324bede",
		Stored: "10e8a802908b34f86e5da8ce962f3c806694bc98450a18f61851af59f324bede",
	},
	{
		Name: "BreastCancer", File: "breast_cancer.csv", Rows: 569, Cols: 30, Licence: ccBy4,
		Source: "UCI Machine Learning Repository, https://doi.org/10.24432/C5DW2B; file as " +
			"distributed with scikit-learn",
		Citation: "Wolberg, W., Mangasarian, O., Street, N. and Street, W. (1993). Breast Cancer " +
			"Wisconsin " +
			"(Diagnostic). UCI Machine Learning Repository. Street, W. N., Wolberg, W. H. and " +
			"Mangasarian, O. L. " +
			"(1993). Nuclear feature extraction for breast tumor diagnosis. Proc. SPIE 1905, 861-870.",
		SHA256: "fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed",
		Stored: "fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed",
	},
	{
		Name: "Digits", File: "digits.csv.gz", Rows: 1797, Cols: 64, Licence: ccBy4,
		Source: "UCI Machine Learning Repository, https://doi.org/10.24432/C50P49, test part; file " +
			"as distributed with scikit-learn",
		Citation: "Alpaydin, E. and Kaynak, C. (1998). Optical Recognition of Handwritten Digits. " +
			"UCI Machine Learning Repository.",
		SHA256: "46abec6b12486ad9e51943373abcf22bbea1b5a51a1619b361570d8893f1464a",
		Stored: "46abec6b12486ad9e51943373abcf22bbea1b5a51a1619b361570d8893f1464a",
	},
	{
		Name: "Banknotes", File: "banknotes.csv", Rows: 1372, Cols: 4, Licence: ccBy4,
		Source: "UCI Machine Learning Repository, https://doi.org/10.24432/C55P57; as CSV with a " +
			"header line",
		Citation: "Lohweg, V. (2012). Banknote Authentication. UCI Machine Learning Repository.",
		SHA256:   "bfebc88095e043c8da26a5f854d2b8a98af73b05e52f7e19ecbe8767bf504a34",
		Stored:   "bfebc88095e043c8da26a5f854d2b8a98af73b05e52f7e19ecbe8767bf504a34",
	},
	{
		Name: "Penguins", File: "penguins.json", Rows: 342, Cols: 4, Licence: cc0,
		Source: "palmerpenguins, https://doi.org/10.5281/zenodo.3960218; file as distributed with " +
			"vega-datasets",
		Citation: "Horst, A. M., Hill, A. P. and Gorman, K. B. (2020). palmerpenguins: Palmer " +
			"Archipelago " +
			"(Antarctica) penguin data. R package. Gorman, K. B., Williams, T. D. and Fraser, W. R. " +
			"(2014). " +
			"Ecological sexual dimorphism and environmental variability within a community of Antarctic " +
			"penguins (genus Pygoscelis). PLoS ONE 9(3), e90081.",
		SHA256: "0facf769609f1205b82cbceb8238c36af3e6147a0ca0e163902cc6281ce3e917",
		Stored: "0facf769609f1205b82cbceb8238c36af3e6147a0ca0e163902cc6281ce3e917",
	},
	{
		Name: "SMS", File: "sms_spam.tsv.gz", Rows: 5574, Licence: ccBy4,
		Source: "UCI Machine Learning Repository, https://doi.org/10.24432/C5CC84; compressed here " +
			"with gzip -9 -n",
		Citation: "Almeida, T. and Hidalgo, J. (2011). SMS Spam Collection. UCI Machine Learning " +
			"Repository. " +
			"Almeida, T. A., Gómez Hidalgo, J. M. and Yamakami, A. (2011). Contributions to the study " +
			"of SMS spam " +
			"filtering: new collection and results. Proc. ACM DocEng'11, 259-262.",
		SHA256: "7d039a24a6083ed9ef0f806ebad56bbb976e3aeb8de05669173bfdc4996c239d",
		Stored: "8fd20918904042e5104c4d5d22642f1332b0bc670c55df3a8688a1ea7b2e9e8d",
	},
}
