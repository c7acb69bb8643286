package grade

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// File is a student's notebook.
type File struct {
	Path string
	Name string // path below the folder, with slashes
}

// Find lists the notebooks (*.ipynb) in a folder and the folders in it, by name. Links in it are listed and
// not followed; what begins with a dot, as Jupyter's checkpoints do, is left out. A folder that cannot be read
// is listed like a notebook, so its row says so, and the other notebooks are graded.
func Find(folder string) (files []File, err error) {
	root, err := filepath.EvalSymlinks(folder) // WalkDir does not walk a link
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil && path == root {
			return err
		}
		if path != root && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err != nil || !d.IsDir() && strings.EqualFold(filepath.Ext(path), ".ipynb") {
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			files = append(files, File{path, printable.Text(filepath.ToSlash(name), false)})
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no notebook (*.ipynb) in %s", folder)
	}
	return files, err
}

// Read reads a student's notebook and finds its lesson, by the title in its metadata, else by the name of
// its file. Without both the error says what to do.
func Read(f File, keys []*Key) (*Key, *notebook.Notebook, error) {
	if info, err := os.Lstat(f.Path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, fmt.Errorf("a link, which is not followed: copy the notebook here")
	}
	nb, err := notebook.ReadFile(f.Path)
	if err != nil {
		// The row names the notebook below the folder; where that is on this machine is not for students.
		var file *fs.PathError
		if errors.As(err, &file) {
			err = file.Err
		}
		return nil, nil, errors.New(strings.TrimLeft(strings.TrimPrefix(err.Error(), f.Path), ": "))
	}
	title := nb.FrontMatter().Title
	for _, k := range keys {
		if title != "" && title == k.title {
			return k, nb, nil
		}
	}
	for _, k := range keys {
		if strings.Contains(strings.ToLower(filepath.Base(f.Path)), k.Lesson.Slug) {
			return k, nb, nil
		}
	}
	return nil, nil, fmt.Errorf("of no lesson that is graded: its metadata hold no lesson's title; put a lesson's name into that of the file, like %s", keys[0].Lesson.Slug)
}

// Header is the first line of a table of results.
const Header = "notebook,lesson,exercise,result,message"

// All stands in the column of the exercise in the row that counts the solved ones of a notebook.
const All = "all"

// Write writes the rows as comma-separated values, and after those of each notebook one with the number of its solved exercises.
func Write(w io.Writer, rows []Row) error {
	c := csv.NewWriter(w)
	if err := c.Write(strings.Split(Header, ",")); err != nil {
		return err
	}
	solved, of := 0, 0
	for i, r := range rows {
		if err := c.Write([]string{cell(r.Notebook), r.Lesson, r.Exercise, string(r.Result), cell(r.Message)}); err != nil {
			return err
		}
		of++
		if r.Result == Solved {
			solved++
		}
		if i+1 < len(rows) && rows[i+1].Notebook == r.Notebook {
			continue
		}
		if r.Exercise != "" {
			if err := c.Write([]string{cell(r.Notebook), r.Lesson, All, fmt.Sprintf("%d of %d", solved, of), ""}); err != nil {
				return err
			}
		}
		solved, of = 0, 0
	}
	c.Flush()
	return c.Error()
}

// formulas are the characters that begin a formula in a spreadsheet. The last four are those of East Asian width.
const formulas = "=+-@＝＋－＠"

// cell is text as a spreadsheet shows it: what it would take for a formula begins with an apostrophe, also behind a
// semicolon, which separates the cells where a comma is the decimal mark.
func cell(text string) string {
	parts := strings.Split(printable.Text(text, false), ";")
	for i, p := range parts {
		if strings.IndexAny(p, formulas) == 0 {
			parts[i] = "'" + p
		}
	}
	return strings.Join(parts, ";")
}
