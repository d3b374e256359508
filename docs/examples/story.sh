#!/bin/sh
# The event stream of a task, one event a line: sh docs/examples/story.sh <taskId>
set -eu
redis-cli ${REDIS_CLI:--s .longhaul/redis.sock} XRANGE "${LONGHAUL_KEY_PREFIX:-lh}:{$1}:events" - + | paste - - - - - - - | cut -f 1,3,5
