# All images, for two architectures, each with a list of what is in it (SBOM) and a record of how it was built (provenance):
#
#   REGISTRY=registry.example.com/ REVISION=$(git rev-parse HEAD) docker buildx bake --file docker-bake.hcl --push
#
# That takes a builder that has both architectures or emulates one (`docker buildx create --use`). Attestations are kept by
# registries, not by an engine's own store: for this machine alone, `docker build` as in the Dockerfile.

variable "REGISTRY" {
  default = ""
}

variable "VERSION" {
  default = "0.1.0"
}

variable "REVISION" {
  default = "unknown"
}

group "default" {
  targets = ["image"]
}

target "image" {
  name    = image
  matrix  = { image = ["gateway", "worker", "operator", "longhaul"] }
  target  = image
  context = "."
  tags = [
    for tag in [VERSION, "latest"] :
    "${REGISTRY}${image == "longhaul" ? "longhaul" : "longhaul-${image}"}:${tag}"
  ]
  platforms = ["linux/amd64", "linux/arm64"]
  args      = { VERSION = VERSION, REVISION = REVISION }
  attest    = ["type=sbom", "type=provenance,mode=max"]
}
