package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
)

// remedies says what to do about an authority's refusal, by its code. The codes are listed at
// https://learn.microsoft.com/entra/identity-platform/reference-error-codes.
var remedies = map[string]string{
	"AADSTS7000215": "put the value of the client secret, and not its id, into AZURE_CLIENT_SECRET",
	"AADSTS7000222": "the client secret has expired: make a new one, and put it into AZURE_CLIENT_SECRET",
	"AADSTS7000112": "enable the application in Azure",
	"AADSTS700016":  "the tenant AZURE_TENANT_ID has no application with the id AZURE_CLIENT_ID: correct one of them",
	"AADSTS90002":   "correct AZURE_TENANT_ID",
	"AADSTS900023":  "correct AZURE_TENANT_ID",
	"AADSTS700027":  "give the application the certificate, or correct AZURE_CLIENT_CERTIFICATE",
	"AADSTS70021":   trustRemedy,
	"AADSTS700211":  trustRemedy,
	"AADSTS700212":  trustRemedy,
	"AADSTS700213":  trustRemedy,
}

const trustRemedy = "let the identity in Azure trust the ServiceAccount: armature identity prints the command"

var entraCode = regexp.MustCompile(`^AADSTS\d+`)

// refusesToken reports whether there is no token because the authority has refused it. Any
// other cause, such as an authority that cannot be reached, may be temporary.
func refusesToken(err error) bool {
	var failed *azidentity.AuthenticationFailedError
	if !errors.As(err, &failed) || failed.RawResponse == nil {
		return false
	}
	status := failed.RawResponse.StatusCode
	return status == http.StatusBadRequest || status == http.StatusUnauthorized || status == http.StatusForbidden
}

// tokenErrorMessage returns one line that says why there is no token: the cause first, and then
// what to do.
func tokenErrorMessage(err error) string {
	var failed *azidentity.AuthenticationFailedError
	if !errors.As(err, &failed) || failed.RawResponse == nil {
		return oneLine(withoutURL(err))
	}
	body, readErr := runtime.Payload(failed.RawResponse)
	var answer struct {
		Code string `json:"error"`
		Says string `json:"error_description"`
	}
	if readErr != nil || json.Unmarshal(body, &answer) != nil || answer.Says == "" {
		return fmt.Sprintf("the authority answers %s: %s", failed.RawResponse.Status, oneLine(string(body)))
	}
	// After the sentence come ids and times of the request.
	cause, _, _ := strings.Cut(answer.Says, "Trace ID:")
	cause = oneLine(cause)
	if remedy := remedies[entraCode.FindString(cause)]; remedy != "" {
		sentence, _, _ := strings.Cut(cause, ". ")
		return strings.TrimSuffix(sentence, ".") + ": " + remedy
	}
	return cause
}

// oneLine joins the lines of a text.
func oneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.Trim(line, "-") != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
