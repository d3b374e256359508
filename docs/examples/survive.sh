#!/bin/sh
# Kills everything with -9 while a task waits for its user, starts it again, and answers: sh docs/examples/survive.sh
set -eu
export PORT="${PORT:-3111}"
LONGHAUL_DATA_DIR=$(mktemp -d) && export LONGHAUL_DATA_DIR
OUT=$(mktemp)
say() { printf '\n%s\n' "$1"; }

# post <message> sends one JSON-RPC message and prints what comes back.
post() {
  curl -sSN "http://127.0.0.1:$PORT/mcp" -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \
    -H "mcp-session-id: $SESSION" -d "$1" -D "$OUT.head" && echo
}
status() { post '{"jsonrpc":"2.0","id":9,"method":"tasks/get","params":{"taskId":"'"$TASK"'"}}' | grep -o '"status":"[a-z_]*"'; }
start() {
  : >"$OUT.log" # Of the start before: the one in the background empties it a moment later.
  node bin/longhaul.mjs start >"$OUT.log" 2>&1 &
  SERVER=$!
  until grep -q Endpoint "$OUT.log"; do kill -0 "$SERVER" && sleep 0.1; done
}
kill_all() { kill -9 "$SERVER" $(pgrep -P "$SERVER"); }
trap 'kill_all 2>/dev/null; rm -rf "$LONGHAUL_DATA_DIR" "$OUT"*' EXIT

say '$ longhaul start'
start && grep -E 'Endpoint|Data' "$OUT.log"

say 'A client calls a tool as a task, which asks its user a question.'
SESSION=
post '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
  "capabilities":{"elicitation":{}},"clientInfo":{"name":"curl","version":"1"}}}' >"$OUT"
SESSION=$(sed -n 's/^mcp-session-id: *\([0-9a-f-]*\).*/\1/p' "$OUT.head")
post '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"simulate-research-query",
  "arguments":{"topic":"python","ambiguous":true},"task":{"ttl":300000}}}' >"$OUT"
TASK=$(sed -n 's/.*"taskId":"\([0-9a-f-]*\)".*/\1/p' "$OUT")
until status | grep input_required; do sleep 0.2; done

say '$ kill -9 gateway worker and launcher'
kill_all && wait "$SERVER" 2>/dev/null || true

say '$ longhaul start'
start && status

say 'The same session answers, and gets the result.'
post '{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"'"$TASK"'"}}' >"$OUT" &
WAITS=$!
until ID=$(grep -o '"id":"t|[^"]*"' "$OUT"); do sleep 0.2; done
post '{"jsonrpc":"2.0",'"$ID"',"result":{"action":"accept","content":{"interpretation":"snake"}}}' >/dev/null
wait "$WAITS" && grep -o '# Research Report: [a-z ()]*' "$OUT" | head -n 1
status
