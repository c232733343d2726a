package reconcile

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/armature-dev/armature/runtime/arm"
	"github.com/armature-dev/armature/runtime/conversion"
	"github.com/armature-dev/armature/runtime/reconcile/internal/expressions"
	"github.com/armature-dev/armature/runtime/reconcile/internal/named"
	"github.com/armature-dev/armature/runtime/reconcile/internal/outputs"
	"github.com/armature-dev/armature/runtime/reconcile/internal/problem"
)

const (
	// maxCost is what the expressions of an object may cost together, about a second: as much as the conditions of a
	// webhook in an API server. One that is too expensive is tried again every 10 minutes.
	maxCost = celconfig.RuntimeCELCostBudgetMatchConditions
	// maxEvaluation is how long they may take together, if the costs do not tell.
	maxEvaluation = 5 * time.Second
)

// expressing has the expressions of an object that compile at the version for which it is written.
type expressing struct {
	kind     expressions.Kind
	outputs  map[string]arm.Output
	programs map[string]*expressions.Program
	self     map[string]any // nil if there are no expressions
	problems []*problem.Problem
}

// compile compiles the expressions that an object asks for.
func (r delivery) compile(wanted []*outputs.Container) (*expressing, error) {
	x := &expressing{outputs: map[string]arm.Output{}, programs: map[string]*expressions.Program{}}
	for _, c := range wanted {
		for _, source := range c.Keys {
			if source.Expression == "" {
				continue
			}
			if x.self == nil {
				if err := x.read(r); err != nil {
					return nil, err
				}
			}
			program, err := x.kind.Compile(source.Text, c.GroupKind == named.SecretKind)
			if err != nil {
				x.problems = append(x.problems, &problem.Problem{Reason: ReasonExpressionInvalid, Stalled: true,
					Message: fmt.Sprintf("spec.operatorSpec.expressions.%s.value: %v", source.Expression, err)})
				continue
			}
			x.programs[source.Expression] = program
		}
	}
	return x, nil
}

// read reads the object as expressions have it. What the Spec refers to is no part of it.
func (x *expressing) read(r delivery) error {
	version, err := conversion.VersionFor(r.object, r.op.scheme)
	if err != nil {
		return err
	}
	spec, err := conversion.GetVersionedSpec(r.object, r.op.scheme)
	if err != nil {
		return err
	}
	status, err := conversion.GetVersionedStatus(r.object, r.op.scheme)
	if err != nil {
		return err
	}
	x.kind = expressions.Kind{Spec: reflect.TypeOf(spec).Elem(), Status: reflect.TypeOf(status).Elem(), Outputs: r.request.Outputs}
	for _, o := range r.request.Outputs {
		x.outputs[o.Name] = o
	}
	x.self, err = expressions.Self(version.GroupVersion().String(), version.Kind, r.object, spec, status)
	return err
}

// actionsOf returns the names of the actions whose answers have what goes into a key.
func (x *expressing) actionsOf(source outputs.Source) (names []string) {
	if action := source.Output.Action; action != "" {
		return []string{action}
	}
	if program := x.programs[source.Expression]; program != nil {
		for _, name := range program.SecretOutputs {
			names = append(names, x.outputs[name].Action)
		}
	}
	return names
}

// evaluator evaluates the expressions of an object.
type evaluator struct {
	*expressing
	ctx     context.Context
	values  expressions.Values
	missing map[string]error // why an output has no value, by its name
	cost    uint64
}

// evaluator returns an evaluator for the Status and the answers of actions, by their names.
func (x *expressing) evaluator(ctx context.Context, answers map[string][]byte) *evaluator {
	e := &evaluator{expressing: x, ctx: ctx, missing: map[string]error{},
		values: expressions.Values{Self: x.self, Outputs: map[string]any{}, SecretOutputs: map[string]any{}}}
	for name, o := range x.outputs {
		var value any
		text, err := o.Value(answers[o.Action])
		if err == nil {
			value, err = x.kind.Output(o, text)
		}
		switch {
		case err != nil:
			e.missing[name] = err
		case o.Action == "":
			e.values.Outputs[name] = value
		default:
			e.values.SecretOutputs[name] = value
		}
	}
	return e
}

// content returns what a key gets from an expression: nothing if it fails. One that does not compile, one that needs
// answers of actions that were not sent, and one that is interrupted keep what is there.
func (e *evaluator) content(into *outputs.Container, source outputs.Source, asks bool) (outputs.Content, *problem.Problem) {
	program := e.programs[source.Expression]
	if program == nil || !asks && len(program.SecretOutputs) > 0 {
		return outputs.Content{Keeps: true}, nil
	}
	value, err := e.eval(program)
	if err == nil && into.GroupKind == named.ConfigMapKind && !utf8.Valid(value) {
		err = errors.New("its value is not in UTF-8, as what is in a ConfigMap has to be")
	}
	if err == nil {
		return outputs.Content{Value: value}, nil
	}
	message := fmt.Sprintf("spec.operatorSpec.expressions.%s: %v", source.Expression, err)
	for _, name := range slices.Concat(program.Outputs, program.SecretOutputs) {
		if why := e.missing[name]; why != nil {
			message += fmt.Sprintf("; the output %s: %v", name, why)
		}
	}
	return outputs.Content{Keeps: errors.Is(err, expressions.ErrInterrupted)}, &problem.Problem{
		Reason: ReasonExpressionFailed, Stalled: !errors.Is(err, expressions.ErrMissing), Message: message}
}

// eval returns the value of an expression.
func (e *evaluator) eval(program *expressions.Program) ([]byte, error) {
	if e.cost >= maxCost {
		return nil, fmt.Errorf("the expressions of the object together are too expensive: they cost more than %d", maxCost)
	}
	value, cost, err := program.Eval(e.ctx, e.values)
	e.cost += cost
	return value, err
}
