#!/bin/sh
# A first session with curl: sh docs/examples/first-session.sh [endpoint]
set -eu
MCP=${1:-http://127.0.0.1:3000/mcp}
OUT=$(mktemp)
trap 'rm -f "$OUT"' EXIT

# post <message> [curl options] sends one JSON-RPC message and prints what comes back.
post() {
  message=$1 && shift
  curl -sSN "$MCP" -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' \
    -H "mcp-session-id: $SESSION" -d "$message" "$@" && echo
}

echo '1. Open a session as a client that can be asked questions. Its id is in a header of the answer.'
SESSION=
post '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
  "capabilities":{"elicitation":{}},"clientInfo":{"name":"curl","version":"1"}}}' -D "$OUT"
SESSION=$(sed -n 's/^mcp-session-id: *\([0-9a-f-]*\).*/\1/p' "$OUT")
post '{"jsonrpc":"2.0","method":"notifications/initialized"}'

echo '2. Call a tool as a task. The answer comes at once: it is the handle of the task.'
post '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"simulate-research-query",
  "arguments":{"topic":"python","ambiguous":true},"task":{"ttl":300000}}}' | tee "$OUT"
TASK=$(sed -n 's/.*"taskId":"\([0-9a-f-]*\)".*/\1/p' "$OUT")

echo '3. Ask for the result. This waits; the question of the task comes on the same stream, as a request.'
post '{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"'"$TASK"'"}}' >"$OUT" &
RESULT=$!
until ID=$(grep -o '"id":"t|[^"]*"' "$OUT"); do
  kill -0 "$RESULT" 2>/dev/null || { echo 'The request has ended without a question:' && cat "$OUT" && exit 1; } >&2
  sleep 0.2
done
post '{"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"'"$TASK"'"}}'

echo '4. Answer the question: a JSON-RPC response with its id. Then the stream ends with the result.'
post '{"jsonrpc":"2.0",'"$ID"',"result":{"action":"accept","content":{"interpretation":"snake"}}}'
wait "$RESULT"
cat "$OUT"

echo '5. Start another task and cancel it.'
post '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"simulate-research-query",
  "arguments":{"topic":"tides"},"task":{}}}' >"$OUT"
OTHER=$(sed -n 's/.*"taskId":"\([0-9a-f-]*\)".*/\1/p' "$OUT")
post '{"jsonrpc":"2.0","id":6,"method":"tasks/cancel","params":{"taskId":"'"$OTHER"'"}}'

echo '6. List the tasks of the session, newest first.'
post '{"jsonrpc":"2.0","id":7,"method":"tasks/list"}'
