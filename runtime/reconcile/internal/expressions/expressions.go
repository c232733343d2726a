// Package expressions computes values that an object asks for by expressions in CEL. Its main types are [Kind], which
// compiles, and [Program].
package expressions

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/env"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/armature-dev/armature/runtime/arm"
)

const (
	// MaxText is how many bytes an expression may have, and MaxResult its value.
	MaxText, MaxResult = 4 << 10, 64 << 10
	// costLimit is what an expression may cost: as much as one of an API server.
	costLimit = celconfig.PerCallLimit
)

// The variables.
const (
	self          = "self"
	outputs       = "outputs"
	secretOutputs = "secretOutputs"
)

// Kind is a kind at the version for which its objects are written.
type Kind struct {
	// Spec and Status are structs.
	Spec, Status reflect.Type
	Outputs      []arm.Output
}

// Program is an expression that compiles.
type Program struct {
	// Outputs and SecretOutputs are the names of the outputs that the expression names, sorted.
	Outputs, SecretOutputs []string
	program                cel.Program
}

// Compile compiles an expression. One whose value is no secret cannot name secretOutputs. The error begins with the
// position, and shows nothing but what is in the expression and the types of the kind.
func (k Kind) Compile(text string, isSecret bool) (*Program, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("found %d bytes, expected at most %d", len(text), MaxText)
	}
	e, err := k.environment(isSecret)
	if err != nil {
		return nil, err
	}
	compiled, issues := e.Compile(text)
	if all := issues.Errors(); len(all) > 0 {
		err := at(all[0].Location.Line(), all[0].Location.Column(), "%s", all[0].Message)
		if len(all) > 1 {
			err = fmt.Errorf("%w; and %d more", err, len(all)-1)
		}
		return nil, err
	}
	switch t := compiled.OutputType(); t.Kind() {
	case types.StringKind, types.BytesKind, types.DynKind:
	default:
		return nil, at(1, 0, "found a value of type %s, expected string or bytes: string(…) and json.encode(…) make text", t)
	}
	p := &Program{}
	if err := p.check(compiled.NativeRep()); err != nil {
		return nil, err
	}
	p.program, err = e.Program(compiled, cel.CostTracking(costs{}), cel.CostLimit(costLimit),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil { // it may quote a value in the expression, which its author has written
		return nil, at(1, 0, "%v", err)
	}
	return p, nil
}

// at returns an error with a position, of which CEL counts columns from 0.
func at(line, column int, format string, args ...any) error {
	return fmt.Errorf("line %d, column %d: "+format, append([]any{line, column + 1}, args...)...)
}

// check notes the outputs that an expression names, and refuses what its costs would not tell: CEL counts a comparison
// of two lists by their lengths, whatever lists are in them, and a list that is joined with itself again and again is
// long without being made. So lists are neither compared nor joined. The macros join what they collect, one by one.
func (p *Program) check(checked *ast.AST) error {
	var err error
	named := map[int64]bool{} // the mentions of outputs that name one
	name := func(of ast.Expr, output string) {
		if of.Kind() != ast.IdentKind {
			return
		}
		switch of.AsIdent() {
		case outputs:
			p.Outputs, named[of.ID()] = append(p.Outputs, output), true
		case secretOutputs:
			p.SecretOutputs, named[of.ID()] = append(p.SecretOutputs, output), true
		}
	}
	ast.PreOrderVisit(checked.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		refuse := func(text string) {
			if err == nil {
				where := checked.SourceInfo().GetStartLocation(e.ID())
				err = at(where.Line(), where.Column(), "%s", text)
			}
		}
		switch e.Kind() {
		case ast.IdentKind:
			if of := e.AsIdent(); (of == outputs || of == secretOutputs) && !named[e.ID()] {
				refuse(of + " has the outputs, of which an expression names one: " + of + ".…")
			}
		case ast.SelectKind:
			name(e.AsSelect().Operand(), e.AsSelect().FieldName())
		case ast.StructKind:
			refuse("an expression makes no objects of a type; {…} makes a map")
		case ast.CallKind:
			call := e.AsCall()
			var kinds []types.Kind
			for _, arg := range call.Args() {
				kinds = append(kinds, checked.GetType(arg.ID()).Kind())
			}
			switch call.FunctionName() {
			case operators.OptSelect:
				if field := call.Args()[1]; field.Kind() == ast.LiteralKind {
					name(call.Args()[0], fmt.Sprint(field.AsLiteral().Value()))
				}
			case operators.Add:
				if first := call.Args()[0]; !isScalar(checked.GetType(e.ID()).Kind()) && !isCollected(first) {
					refuse("+ does not join lists, nor what may be one: string(…) makes text")
				}
			case operators.Equals, operators.NotEquals:
				if !slices.ContainsFunc(kinds, isScalar) {
					refuse("lists and maps are not compared, nor what may be one: string(…) makes text")
				}
			case operators.In, operators.OldIn:
				if !isScalar(kinds[0]) {
					refuse("what may be a list or a map is not looked for: string(…) makes text")
				}
			}
		}
	}))
	for _, names := range []*[]string{&p.Outputs, &p.SecretOutputs} {
		slices.Sort(*names)
		*names = slices.Compact(*names)
	}
	return err
}

// isCollected reports whether an expression is what a macro has collected so far, for which nobody can write a name.
func isCollected(e ast.Expr) bool {
	return e.Kind() == ast.IdentKind && strings.HasPrefix(e.AsIdent(), "@")
}

func isScalar(k types.Kind) bool {
	switch k {
	case types.BoolKind, types.BytesKind, types.DoubleKind, types.DurationKind, types.IntKind, types.NullTypeKind,
		types.StringKind, types.TimestampKind, types.TypeKind, types.UintKind:
		return true
	}
	return false
}

// Values are what an expression is made of.
type Values struct {
	// Self is the object, as [Self] returns it.
	Self map[string]any
	// Outputs and SecretOutputs have values by the names of outputs, each of its type ([Kind.Output]).
	Outputs, SecretOutputs map[string]any
}

// Eval returns the value of an expression, and what it cost. The error is one of a few texts, none of which has
// anything of a value: CEL itself quotes the values with which it fails.
func (p *Program) Eval(ctx context.Context, v Values) (value []byte, cost uint64, err error) {
	result, details, err := p.program.ContextEval(ctx, map[string]any{
		self: v.Self, outputs: v.Outputs, secretOutputs: v.SecretOutputs})
	cost = costLimit // if it is too expensive, nobody knows more
	if details != nil && details.ActualCost() != nil {
		cost = *details.ActualCost()
	}
	if err != nil {
		return nil, cost, explain(err)
	}
	switch result := result.(type) {
	case types.String:
		value = []byte(result)
	case types.Bytes:
		value = []byte(result)
	default:
		return nil, cost, errors.New("its value is neither text nor bytes")
	}
	if len(value) > MaxResult {
		return nil, cost, errTooLong
	}
	return value, cost, nil
}

var errTooLong = fmt.Errorf("a text in it is longer than %d bytes", MaxResult)

// ErrMissing is the error of an expression that takes something which is not there, and may come.
var ErrMissing = errors.New("something that it takes is not there: has(…) finds out whether it is, and .?name with orValue(…) " +
	"gives another value")

// ErrInterrupted is the error of an expression that has had no time to end.
var ErrInterrupted = errors.New("it takes too long")

// explanations has, by how CEL's message of an error begins, what to say instead.
var explanations = []struct {
	begins string
	says   error
}{
	{"no such key", ErrMissing},
	{"no such attribute", ErrMissing},
	{"index out of bounds", ErrMissing},
	{"optional.none() dereference", ErrMissing},
	{"no such overload", errors.New("an operation does not take a value of the type that it finds")},
	{"division by zero", errors.New("it divides by zero")},
	{"modulus by zero", errors.New("it divides by zero")},
}

// explain returns what to say of an error of CEL.
func explain(err error) error {
	var cancelled interpreter.EvalCancelledError
	switch {
	case errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded:
		return fmt.Errorf("it is too expensive: it costs more than %d, as an API server counts", costLimit)
	case errors.Is(err, interpreter.InterruptError{}):
		return ErrInterrupted
	case errors.Is(err, errTooLong):
		return errTooLong
	}
	for _, e := range explanations {
		if strings.HasPrefix(err.Error(), e.begins) {
			return e.says
		}
	}
	return errors.New("a conversion or an operation fails with a value that it finds")
}

// key is that of a kind whose expressions are secrets or not.
type key struct {
	spec, status reflect.Type
	isSecret     bool
}

// environments has the environments by their keys. There are as many as kinds with expressions, at their versions.
var environments sync.Map

// environment returns what the expressions of a kind can name.
func (k Kind) environment(isSecret bool) (*cel.Env, error) {
	of := key{k.Spec, k.Status, isSecret}
	if known, found := environments.Load(of); found {
		return known.(*cel.Env), nil
	}
	base, err := base()
	if err != nil {
		return nil, err
	}
	p := &provider{Provider: base.CELTypeProvider(), fields: map[string]map[string]*types.FieldType{}}
	options := []cel.EnvOption{
		cel.CustomTypeProvider(p),
		cel.Variable(self, p.object(k.Spec, k.Status)),
		cel.Variable(outputs, p.outputs(outputs, k, func(o arm.Output) bool { return o.Action == "" })),
	}
	if isSecret {
		options = append(options,
			cel.Variable(secretOutputs, p.outputs(secretOutputs, k, func(o arm.Output) bool { return o.Action != "" })))
	}
	made, err := base.Extend(options...)
	if err != nil {
		return nil, err
	}
	environments.Store(of, made)
	return made, nil
}

// base has the functions of all expressions: those of CEL without regular expressions, whose costs depend on the text
// of one more than on its length, and those of [library].
var base = sync.OnceValues(func() (*cel.Env, error) {
	without := env.NewLibrarySubset().AddExcludedFunctions(env.NewFunction(overloads.Matches))
	return cel.NewCustomEnv(append(library, cel.StdLib(cel.StdLibSubset(without)), cel.OptionalTypes(),
		cel.EnableIdentifierEscapeSyntax(), cel.EnableHiddenAccumulatorName(true), cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true), cel.ParserExpressionSizeLimit(MaxText))...)
})

// costs counts what the functions of [library] cost: a tenth for each byte that they read or write, as CEL counts for
// its own.
type costs struct{}

func (costs) CallCost(function, _ string, args []ref.Val, result ref.Val) *uint64 {
	if !slices.Contains(functions, function) {
		return nil
	}
	cost := 1 + (sizeOf(result)+sizeOf(args...))/10
	return &cost
}
