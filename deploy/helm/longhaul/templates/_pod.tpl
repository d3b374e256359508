{{/*
What the pods of gateways and workers have in common. Each is a part of a pod's spec; they take (list $ "gateway").
*/}}
{{- define "longhaul.podMetadata" -}}
{{- $ := index . 0 -}}
{{- $app := index $.Values (index . 1) -}}
labels: {{- include "longhaul.selector" . | nindent 2 }}
annotations:
  # Pods are replaced when what they read at their start changes.
  checksum/settings: {{ include (print $.Template.BasePath "/settings.yaml") $ | sha256sum }}
  {{- if and (eq (index . 1) "operator") (not $app.existingSecret) }}
  checksum/tokens: {{ $app.tokens | toString | sha256sum }}
  {{- end }}
  {{- with $app.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "longhaul.podSpec" -}}
{{- $ := index . 0 -}}
{{- $app := index $.Values (index . 1) -}}
automountServiceAccountToken: false
# The pod's own process 1 then is not node, which would ignore a signal that comes before it runs the app.
shareProcessNamespace: true
terminationGracePeriodSeconds: {{ include "longhaul.graceSeconds" $ }}
{{- with $.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "longhaul.selector" . | nindent 8 }}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with index $app $key }}
{{ $key }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
volumes:
  # Features may need one; nothing else can be written.
  - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
  {{- with $app.volumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "longhaul.container" -}}
{{- $ := index . 0 -}}
{{- $app := index $.Values (index . 1) -}}
image: {{ printf "%s:%s" $app.image.repository (default $.Chart.AppVersion $app.image.tag) }}
imagePullPolicy: {{ $app.image.pullPolicy }}
resources: {{- toYaml $app.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  {{- with $app.volumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
