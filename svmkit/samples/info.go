package samples

import "encoding/json"

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
func All() (sets []Info) {
	mustRead("sets.json", json.Unmarshal(content("sets.json"), &sets))
	return sets
}
