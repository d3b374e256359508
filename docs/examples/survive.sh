#!/bin/sh
# Kills everything with -9 while a task waits for its user, starts it again, and answers: sh docs/examples/survive.sh
set -eu
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
NODE=$ROOT/node_modules/.bin/node
HERE=$(mktemp -d) && cd "$HERE"
export PORT="${PORT:-3111}" LONGHAUL_DATA_DIR=.longhaul
SERVER=
say() { printf '\n%s\n' "$1"; }
fail() { echo "$1" >&2 && exit 1; }
kill_all() { kill -9 "$SERVER" $(pgrep -P "$SERVER"); }
finish() { # However it ends, it leaves nothing behind; if it fails, it shows what the server and curl said last.
  code=$?
  [ -z "$SERVER" ] || kill_all 2>/dev/null || true
  [ "$code" -eq 0 ] || tail -n 20 log >&2
  rm -rf "$HERE"
}
: >log
trap finish EXIT
trap 'exit 1' INT TERM
[ -x "$NODE" ] || fail 'There is no node_modules/.bin/node: run "npm ci" first.'

# wait_for <what> <process> <command> repeats the command until it succeeds: at most 1,000 times, and while the process runs.
wait_for() {
  what=$1 process=$2 left=1000 && shift 2
  until "$@"; do
    kill -0 "$process" 2>/dev/null || fail "There is no $what, because its process has ended:"
    left=$((left - 1)) && [ "$left" -gt 0 ] || fail "There is still no $what:"
    sleep 0.2
  done
}
# post <message> sends one JSON-RPC message and prints what comes back.
post() {
  curl -sSN "http://127.0.0.1:$PORT/mcp" -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \
    -H "mcp-session-id: $SESSION" -d "$1" -D head 2>>log && echo
}
status() { post '{"jsonrpc":"2.0","id":9,"method":"tasks/get","params":{"taskId":"'"$TASK"'"}}' | grep -o '"status":"[a-z_]*"'; }
asks() { status | grep input_required; }
asked() { grep -q '"id":"t|' answer; }
start() {
  : >log # Of the start before: the one in the background empties it a moment later.
  "$NODE" "$ROOT/scripts/start.mjs" >log 2>&1 &
  SERVER=$!
  wait_for 'endpoint' "$SERVER" grep -q Endpoint log
}

say '$ longhaul start'
start
grep -E 'Endpoint|Data' log

say 'A client calls a tool as a task, which asks its user a question.'
SESSION=
post '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
  "capabilities":{"elicitation":{}},"clientInfo":{"name":"curl","version":"1"}}}' >answer
SESSION=$(sed -n 's/^mcp-session-id: *\([0-9a-f-]*\).*/\1/p' head)
post '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"simulate-research-query",
  "arguments":{"topic":"python","ambiguous":true},"task":{"ttl":300000}}}' >answer
TASK=$(sed -n 's/.*"taskId":"\([0-9a-f-]*\)".*/\1/p' answer)
wait_for 'question' "$SERVER" asks

say '$ kill -9 gateway worker and launcher'
kill_all && wait "$SERVER" 2>/dev/null || true

say '$ longhaul start'
start
status

say 'The same session answers, and gets the result.'
post '{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"'"$TASK"'"}}' >answer &
RESULT=$!
wait_for 'question' "$RESULT" asked
ID=$(grep -o '"id":"t|[^"]*"' answer)
post '{"jsonrpc":"2.0",'"$ID"',"result":{"action":"accept","content":{"interpretation":"snake"}}}' >/dev/null
wait "$RESULT"
grep -o '# Research Report: [a-z ()]*' answer | head -n 1
status | grep completed
