package front

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// picture is a picture of boxes and arrows. A page of Markdown has it as text: lines of boxes
// with arrows between them, and between these lines │ and ▼, from a box to the one below it.
// Its layout is arithmetic: a box is in the column after the box before it, and a line is
// moved so that a box is below the one from which an arrow leads down to it.
type picture struct {
	Width, Height int
	Label         string // what it shows, in words
	Boxes         []*pictureBox
	Arrows        []string // the d of paths
}

// pictureBox is a box with its place in the text, in letters, and in the picture.
type pictureBox struct {
	text       string
	start, end int
	back       bool // whether the arrow to it leads back, too
	column     int

	X, Y, Width, Height int
	Lines               []pictureText
}

type pictureText struct {
	X, Y int
	Text string
}

// The sizes of a picture.
const (
	boxWidth, columnGap  = 180, 44
	textHeight, boxSpace = 18, 10 // of a line, and above and below all
	mostLetters          = 22     // of a line
	lineGap              = 36
	head                 = 6 // of an arrow
)

var (
	arrow = regexp.MustCompile(`\s*(◄?)─+►\s*`)
	downs = regexp.MustCompile(`^[\s│▼]+$`)
)

// newPicture reads and draws a picture.
func newPicture(text string) (*picture, error) {
	p := &picture{}
	var above []*pictureBox
	var down []int // where arrows lead from the line above to the next one
	for row := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if downs.MatchString(row) {
			for i, r := range []rune(row) {
				if r == '│' && !slices.Contains(down, i) {
					down = append(down, i)
				}
			}
			continue
		}
		line := boxesOf(row)
		for i, letter := range down {
			from, to := boxAt(above, letter), boxAt(line, letter)
			if from == nil || to == nil {
				return nil, fmt.Errorf("a picture has an arrow down at letter %d; expected boxes above and below it", letter+1)
			}
			shift := from.column - to.column
			if shift < 0 || shift > 0 && i > 0 {
				return nil, fmt.Errorf("a picture has %q below %q, which is in another column", to.text, from.text)
			}
			for _, b := range line {
				b.column += shift
			}
		}
		p.draw(above, line, down)
		above, down = line, nil
	}
	return p, nil
}

// boxesOf returns the boxes of a line.
func boxesOf(row string) []*pictureBox {
	var all []*pictureBox
	begin, back := 0, false
	for _, found := range append(arrow.FindAllStringSubmatchIndex(row, -1), []int{len(row), len(row), 0, 0}) {
		text := strings.TrimSpace(row[begin:found[0]])
		start := utf8.RuneCountInString(row[:begin+strings.Index(row[begin:], text)])
		all = append(all, &pictureBox{text: text, start: start, end: start + utf8.RuneCountInString(text), back: back, column: len(all)})
		begin, back = found[1], found[3] > found[2]
	}
	return all
}

// boxAt returns the box of a line that a letter belongs to, or nil.
func boxAt(line []*pictureBox, letter int) *pictureBox {
	for _, b := range line {
		if b.start <= letter && letter < b.end {
			return b
		}
	}
	return nil
}

// draw adds a line of boxes below all others, with the arrows that lead to it.
func (p *picture) draw(above, line []*pictureBox, down []int) {
	y := 1
	if above != nil {
		y = p.Height + lineGap - 1
		p.Label += "; "
	}
	most := 0
	for _, b := range line {
		b.wrap()
		most = max(most, len(b.Lines))
	}
	height := most*textHeight + 2*boxSpace
	middle := y + height/2
	for i, b := range line {
		b.X, b.Y, b.Width, b.Height = 1+b.column*(boxWidth+columnGap), y, boxWidth, height
		first := middle - len(b.Lines)*textHeight/2 + textHeight*3/4
		for j := range b.Lines {
			b.Lines[j].X, b.Lines[j].Y = b.X+boxWidth/2, first+j*textHeight
		}
		if i > 0 {
			to, from := b.X-2, b.X-columnGap+2
			p.Arrows = append(p.Arrows, fmt.Sprintf("M%d %dH%dm%d %dl%d %dl%d %d",
				from, middle, to, -head, -head, head, head, -head, head))
			p.Label += " leads to "
			if b.back {
				p.Arrows = append(p.Arrows, fmt.Sprintf("M%d %dl%d %dl%d %d", from+head, middle-head, -head, head, head, head))
				p.Label = strings.TrimSuffix(p.Label, "leads to ") + "leads to and from "
			}
		}
		p.Label += b.text
		p.Width = max(p.Width, b.X+boxWidth+1)
	}
	for _, letter := range down {
		from, to := boxAt(above, letter), boxAt(line, letter)
		x, end := to.X+boxWidth/2, y-2
		p.Arrows = append(p.Arrows, fmt.Sprintf("M%d %dV%dm%d %dl%d %dl%d %d",
			x, from.Y+from.Height+2, end, -head, -head, head, head, head, -head))
		p.Label += "; " + from.text + " leads to " + to.text
	}
	p.Boxes = append(p.Boxes, line...)
	p.Height = y + height + 1
}

// wrap makes lines of the words of a box.
func (b *pictureBox) wrap() {
	for _, word := range strings.Fields(b.text) {
		if last := len(b.Lines) - 1; last >= 0 && utf8.RuneCountInString(b.Lines[last].Text+" "+word) <= mostLetters {
			b.Lines[last].Text += " " + word
		} else {
			b.Lines = append(b.Lines, pictureText{Text: word})
		}
	}
}
