{{- define "longhaul.name" -}}
{{- default .Release.Name .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* The labels by which pods are selected, which no upgrade may change. Takes (list $ "gateway"). */}}
{{- define "longhaul.selector" -}}
app.kubernetes.io/name: longhaul
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "longhaul.labels" -}}
app.kubernetes.io/name: longhaul
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "longhaul.secretName" -}}
{{- default (include "longhaul.name" .) .Values.secrets.existing -}}
{{- end }}

{{/* Seconds: preStop, LONGHAUL_DRAIN_MS, and some to spare. */}}
{{- define "longhaul.graceSeconds" -}}
{{- add 20 (divf (.Values.settings.LONGHAUL_DRAIN_MS | default 10000 | float64) 1000 | ceil | int) -}}
{{- end }}
