package untyped

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// ConvertRequest converts all objects of a request, each from its own version, and
// keeps their order. If an object fails, or the context ends, the response is a
// failure without objects, as Kubernetes requires. Its message names the objects
// that failed.
func ConvertRequest(
	ctx context.Context, request *apiextensionsv1.ConversionRequest, convert ConvertFunction,
) *apiextensionsv1.ConversionResponse {
	response := &apiextensionsv1.ConversionResponse{UID: request.UID}
	converted, err := convertAll(ctx, request.Objects, convert, request.DesiredAPIVersion)
	if err != nil {
		response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
		return response
	}
	response.ConvertedObjects = converted
	response.Result = metav1.Status{Status: metav1.StatusSuccess}
	return response
}

// convertAll converts the objects. Its error says which of them do not convert.
func convertAll(
	ctx context.Context, objects []runtime.RawExtension, convert ConvertFunction, desiredAPIVersion string,
) ([]runtime.RawExtension, error) {
	converted := make([]runtime.RawExtension, len(objects))
	failed := failures{of: len(objects)}
	for i, object := range objects {
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("stopped after %d of %d objects: %w", i, len(objects), err)
		}
		result, err := convert(Convertible{object}, desiredAPIVersion)
		if err != nil {
			failed.add(i, err)
		}
		converted[i] = result.RawExtension
	}
	if err := failed.err(); err != nil {
		return nil, err
	}
	return converted, nil
}
