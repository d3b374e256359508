# Runs stages, one after the other, and counts. Sourced by `run` and `full`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true

outputs=$(mktemp -d)
result=passed

# Runs a command, says how long it took, and remembers a failure.
stage() {
  local started=$SECONDS status=0
  printf '\n== %s\n' "$*"
  "$@" || status=$?
  printf '== %s: %d s, exit code %d\n' "$*" "$((SECONDS - started))" "$status"
  if [ "$status" -ne 0 ]; then result=failed; fi
  return "$status"
}

# The same with a command whose last line is `N passed, N failed`. One that does not come to it counts as a failure.
counted_stage() {
  local output
  output=$(mktemp -p "$outputs")
  stage "$@" 2>&1 | tee "$output" || result=failed
  grep -qE '^[0-9]+ passed, [0-9]+ failed$' "$output" || echo '0 passed, 1 failed' >>"$output"
}

# Runs a function of stages beside those that follow. Its output is printed when `await_beside` is called.
begin_beside() {
  beside_output=$(mktemp)
  (
    trap - EXIT
    "$@"
    [ "$result" = passed ]
  ) >"$beside_output" 2>&1 &
  beside=$!
}

await_beside() {
  wait "$beside" || result=failed
  cat "$beside_output"
  rm -f "$beside_output"
}

# Brings up an engine on a machine that has none, where the project's machines keep it.
provide_docker() {
  local docker_up=../shared/tools/docker-up.sh
  timeout 30 docker compose version >/dev/null 2>&1 && timeout 30 docker version >/dev/null 2>&1 && return
  if [ -f "$docker_up" ]; then
    bash "$docker_up"
  fi
}

# What failed, once more and together: the stages' own words for it stand thousands of lines above.
retell_failures() {
  printf '\n== what failed\n'
  for output in "$outputs"/*; do
    sed 's/\x1b\[[0-9;]*m//g' "$output" | awk '
      / (Failed (Tests|Suites)|Unhandled (Errors|Rejection)) / { listed = 1 }
      /^ Test Files / { listed = 0 }
      listed || /^ *(FAIL|FAILED|failed|✗|×) / || /, exit code [1-9]/ { if (++lines <= 80) print }'
  done
}

finish() {
  local status=$?
  [ "$result" = passed ] || status=1
  [ "$status" -eq 0 ] || retell_failures
  printf '\n== all: %d s, %s\n' "$SECONDS" "$result"
  for output in "$outputs"/*; do grep -hE '^[0-9]+ passed, [0-9]+ failed$' "$output" | tail -n 1; done |
    awk '{ passed += $1; failed += $3 } END { printf "%d passed, %d failed\n", passed, failed }'
  rm -rf "$outputs"
  exit "$status"
}
trap finish EXIT
