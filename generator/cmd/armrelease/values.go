package main

import "strings"

// labelsOfTheInstallation is a label in whose place an object has those of the installation.
const labelsOfTheInstallation = "labels-of-the-installation"

// parameters returns the edits by which the values of an installation come into an object of a program.
func parameters(kind, program string) []edit {
	edits := []edit{{`^    ` + labelsOfTheInstallation + `: ""\n`, `{{- with .Values.labels }}
{{ toYaml . | indent 4 }}
{{- end }}
`}}
	switch kind {
	case "ServiceAccount":
		edits = append(edits, edit{`^(  namespace: .*\n)\z`, `${1}{{- with .Values.imagePullSecrets }}
imagePullSecrets:
{{- range . }}
- name: {{ quote . }}
{{- end }}
{{- end }}
`})
		if program == "operator" {
			edits = append(edits, edit{`^metadata:\n`, `metadata:
{{- with .Values.operator.serviceAccount.annotations }}
  annotations:
{{- range $$name, $$value := . }}
    {{ quote $$name }}: {{ quote $$value }}
{{- end }}
{{- end }}
`})
		}
	case "Deployment":
		if program == "operator" {
			edits = append(edits, operatorPod...)
		}
		edits = append(edits, podOf(program)...)
		if program == "operator" {
			edits = append(edits, kept) // after all that is in the pod
		}
	case "PodMonitor":
		if program == "operator" {
			edits = append(edits, securely)
		}
	case "NetworkPolicy":
		edits = append(edits, edit{`^spec:\n`, `spec:
{{- with .Values.` + program + `.egress }}
  egress:
{{ toYaml . | indent 2 }}
{{- end }}
`})
		if program == "operator" {
			edits = append(edits, edit{`^(  policyTypes:\n)`, `${1}{{- if .Values.operator.egress }}
  - Egress
{{- end }}
`})
		} else {
			edits = append(edits, edit{`^(  - ports:\n    - port: reviews\n)`, `${1}{{- with .Values.webhook.reviewsFrom }}
    from:
{{ toYaml . | indent 4 }}
{{- end }}
`})
		}
	}
	return edits
}

// podOf returns the edits of the Deployment of a program that both have.
func podOf(program string) []edit {
	edits := []edit{
		{`^  replicas: \d+$`, `  replicas: {{ .Values.PROGRAM.replicas }}`},
		{`^(\s+image: )[^@\n]+(@sha256:[0-9a-f]+)$`,
			`${1}{{ with .Values.PROGRAM.image }}{{ . }}{{ if not (regexMatch "[:@][^/]*$$" .) }}${2}{{ end }}{{ end }}`},
		{`^    metadata:\n      labels:\n`, `    metadata:
{{- with .Values.PROGRAM.podAnnotations }}
      annotations:
{{ toYaml . | indent 8 }}
{{- end }}
      labels:
{{- with .Values.PROGRAM.podLabels }}
{{ toYaml . | indent 8 }}
{{- end }}
`},
		{`^(        env:\n)`, `{{- range .Values.PROGRAM.args }}
        - {{ quote . }}
{{- end }}
${1}`},
		// A name that comes twice is refused, so a variable of the installation takes the place of the release's.
		{`^        - name: GOMEMLIMIT\n          value: (.*)\n`, `{{- $$given := dict }}
{{- range .Values.PROGRAM.env }}{{ $$_ := set $$given .name true }}{{ end }}
{{- if not (hasKey $$given "GOMEMLIMIT") }}
        - name: GOMEMLIMIT
          value: ${1}
{{- end }}
{{- with .Values.PROGRAM.env }}
{{ toYaml . | indent 8 }}
{{- end }}
`},
		{`^        resources:\n(?:          .*\n)+`, `        resources:
{{ toYaml .Values.PROGRAM.resources | indent 10 }}
`},
		{`^(      serviceAccountName: )`, `{{- with .Values.PROGRAM.nodeSelector }}
      nodeSelector:
{{ toYaml . | indent 8 }}
{{- end }}
{{- with .Values.PROGRAM.tolerations }}
      tolerations:
{{ toYaml . | indent 6 }}
{{- end }}
{{- with .Values.PROGRAM.affinity }}
      affinity:
{{ toYaml . | indent 8 }}
{{- end }}
${1}`},
	}
	for i := range edits {
		edits[i].to = strings.ReplaceAll(edits[i].to, "PROGRAM", program)
	}
	return edits
}

// operatorPod are the edits of the operator's Deployment that the webhook's has not.
var operatorPod = []edit{
	{`^(        azure\.workload\.identity/use: "true"\n)`, `{{- if not .Values.operator.multiTenant }}
${1}{{- end }}
`},
	{`^(      - args:\n(?:        - .*\n)+)`, `${1}{{- if .Values.operator.multiTenant }}
        - --credential=own
{{- end }}
{{- if .Values.operator.metricsSecure }}
        - --metrics-secure
{{- end }}
{{- with .Values.operator.namespaces }}
        - --namespaces={{ join "," . }}
{{- end }}
{{- if .Values.operator.caConfigMap }}
        - --ca-file=/etc/armature/ca/ca.crt
{{- end }}
`},
	{`^(          readOnlyRootFilesystem: true\n)`, `${1}{{- if .Values.operator.caConfigMap }}
        volumeMounts:
        - mountPath: /etc/armature/ca
          name: ca
          readOnly: true
{{- end }}
`},
	{`\n\z`, `
{{- with .Values.operator.caConfigMap }}
      volumes:
      - configMap:
          name: {{ quote . }}
        name: ca
{{- end }}
`},
}

// securely is the edit by which metrics are scraped as the component metrics-secure says.
var securely = edit{`^(  - port: metrics\n)`, `${1}{{- if .Values.operator.metricsSecure }}
    scheme: https
    authorization:
      credentials:
        key: token
        name: {{ .Values.namePrefix }}armature-metrics-reader
    tlsConfig:
      insecureSkipVerify: true
{{- end }}
`}

// kept is the edit by which an upgrade leaves the operator's pods as they are in the cluster, until the CRDs are
// replaced. The template of a newer release may have flags that the program of the former one does not know.
var kept = edit{`^  template:\n((?:.*\n)+)\z`, `{{- $$template := "" }}
{{- if .Values.operator.keep }}
{{- with lookup "apps/v1" "Deployment" .Release.Namespace (print .Values.namePrefix "armature-operator") }}
{{- $$template = .spec.template }}
{{- end }}
{{- end }}
{{- if $$template }}
  template:
{{ toYaml $$template | indent 4 }}
{{- else }}
  template:
${1}{{- end }}
`}
