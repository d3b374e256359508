/** The commands of the documents that a test runs, which is named as in `named-tests.ts`. */
export const RUN_BY_TESTS: Readonly<Record<string, string>> = {
  'npm start': 'test/docs/long/fresh-copy.test.ts › `npm start` compiles and serves, and the examples for its users run',
  'LONGHAUL_FEATURES=@longhaul/reference-servers/memory,@longhaul/reference-servers/time npm start':
    'test/cli/reference-servers.test.ts › are listed, and each of them works',
  'npm run build -- examples': 'test/docs/long/fresh-copy.test.ts › the first line of %s says how to serve it',
  'npm run build': 'test/docs/long/fresh-copy.test.ts › `npm run clean` leaves nothing compiled, and `npm run build` compiles it again',
  'npm run clean': 'test/docs/long/fresh-copy.test.ts › `npm run clean` leaves nothing compiled, and `npm run build` compiles it again',
  'npm run dev': 'test/docs/long/fresh-copy.test.ts › `npm run dev` serves',
  'npm run docs:settings': 'test/docs/settings.test.ts › the table of variables is what `npm run docs:settings` writes',
  'npm run docs:commands': 'test/docs/command-line.test.ts › command-line.md is what `npm run docs:commands` writes',
  'npm run docs:features': 'test/docs/long/fresh-copy.test.ts › `npm run docs:features` changes nothing',
  'npm run bench': 'test/docs/long/fresh-copy.test.ts › the benchmark runs',
  'npm test -- test/stores/contract -t append': 'test/docs/long/fresh-copy.test.ts › tests of one name run',
  'npm run --silent stdio': 'test/docs/long/fresh-copy.test.ts › a line to standard input is answered',
  'npx longhaul stdio': 'test/docs/long/fresh-copy.test.ts › a line to standard input is answered',
  [`time echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | npx longhaul stdio`]:
    'test/docs/long/fresh-copy.test.ts › a line to standard input is answered',
  'npx longhaul proxy -- npx -y @modelcontextprotocol/server-everything':
    'test/cli/proxy.test.ts › serves the server of a command, under its own names',
  'npx longhaul proxy ./mcp.json': 'test/cli/proxy.test.ts › serves the servers of a file',
  'npx longhaul proxy': 'test/cli/proxy.test.ts › serves the servers of a file',
  'npx longhaul proxy https://tools.example.com/mcp': 'test/cli/proxy.test.ts › serves the server of a URL',
  'npx longhaul servers ./mcp.json --check': 'test/cli/proxy.test.ts › are listed, and compared with what the file says of them',
  'npx longhaul servers': 'test/cli/proxy.test.ts › are listed, shown, restarted, and turned off and on, as a whole and by tool',
  'npx longhaul servers show NAME': 'test/cli/proxy.test.ts › are listed, shown, restarted, and turned off and on, as a whole and by tool',
  'npx longhaul servers restart NAME --reason TEXT':
    'test/cli/proxy.test.ts › are listed, shown, restarted, and turned off and on, as a whole and by tool',
  'npx longhaul servers off NAME --reason TEXT':
    'test/cli/proxy.test.ts › are listed, shown, restarted, and turned off and on, as a whole and by tool',
  'npx longhaul servers off NAME/TOOL --reason TEXT':
    'test/cli/proxy.test.ts › are listed, shown, restarted, and turned off and on, as a whole and by tool',
  'npx longhaul servers on NAME --reason TEXT':
    'test/cli/proxy.test.ts › are listed, shown, restarted, and turned off and on, as a whole and by tool',
  'npx longhaul servers ./mcp.json --pin': 'test/cli/proxy.test.ts › are approved as they are now, and compared with that from then on',
  'LONGHAUL_AGENT_AGENTS=docs/examples/agents.json LONGHAUL_FEATURES=@longhaul/agent/feature npm start':
    'test/agent/long/agents-of-a-list.test.ts › has agents work for each other, asks its client for all of them, and repeats nothing when their worker is killed',
  'npx longhaul agent eval FILE': 'test/cli/agent-eval.test.ts › runs the example, and says which cases have passed',
  'npx longhaul agent eval docs/examples/evals.json': 'test/cli/agent-eval.test.ts › runs the example, and says which cases have passed',
  'npx longhaul agent "Which tickets are mine?" --server https://tickets.example.com/mcp':
    'test/cli/agent-logins.test.ts › a user logs in by the browser, works without logging in again, and logs out',
  'npx longhaul agent login SERVER':
    'test/cli/agent-logins.test.ts › a user logs in by the browser, works without logging in again, and logs out',
  'npx longhaul agent login https://tickets.example.com/mcp':
    'test/cli/agent-logins.test.ts › a user logs in by the browser, works without logging in again, and logs out',
  'npx longhaul agent logout https://tickets.example.com/mcp':
    'test/cli/agent-logins.test.ts › a user logs in by the browser, works without logging in again, and logs out',
  'npx longhaul agent': 'test/cli/agent-terminal.test.ts › streams answers, goes on with what came before, and ends with the input',
  'npx longhaul agent "question"': 'test/cli/agent.test.ts › is answered through a tool, with no server named',
  'LONGHAUL_AGENT_API=responses npx longhaul agent "What is the date in Tokyo?"':
    'test/cli/agent.test.ts › is answered by the Responses API, and what was found out of the endpoint is kept for the next command',
  'npx longhaul agent "What is the date in Tokyo?"': 'test/cli/agent.test.ts › is answered through a tool, with no server named',
  [`export LONGHAUL_AGENT_MODELS='{"small": {"baseUrl": "http://127.0.0.1:8000/v1"}, "large": {"baseUrl": "https://models.example.com/v1", "apiKeyEnv": "LARGE_MODEL_KEY"}}'`]:
    'test/cli/agent.test.ts › goes to the next model when one is not there, and generates as is set',
  [`export LONGHAUL_AGENT_MODEL=small LONGHAUL_AGENT_FALLBACKS=large LONGHAUL_AGENT_SAMPLING='{"temperature": 0.2}'`]:
    'test/cli/agent.test.ts › goes to the next model when one is not there, and generates as is set',
  'npx longhaul agent --json "What is the date in Tokyo?"': 'test/cli/agent.test.ts › is answered through a tool, with no server named',
  'npx longhaul agent --stream-json "What is the date in Tokyo?"':
    'test/cli/agent-output.test.ts › each event is a line of JSON, and the outcome is the last one',
  'npx longhaul agent --thread trip "I want to go to Lisbon in May. Which week is best?"':
    'test/cli/agent-threads.test.ts › a conversation is continued, listed and forked by later commands',
  'npx longhaul agent --continue "And what does the train cost?"':
    'test/cli/agent-threads.test.ts › a conversation is continued, listed and forked by later commands',
  'npx longhaul agent --server notes "What is still open? @notes:notes://today"':
    'test/cli/agent.test.ts › names a resource and a prompt of a server',
  'npx longhaul agent --server notes \'/review subject="the notes of today" tone=brief\'':
    'test/cli/agent.test.ts › names a resource and a prompt of a server',
  'npx longhaul agent --list': 'test/cli/agent-threads.test.ts › a conversation is continued, listed and forked by later commands',
  'npx longhaul agent --fork trip@3 "And what does the flight cost?"':
    'test/cli/agent-threads.test.ts › a conversation is continued, listed and forked by later commands',
  'npx longhaul agent "…" > answer.txt': 'test/cli/agent.test.ts › is answered through a tool, with no server named',
  'npx longhaul start ./src/tools.ts':
    'test/cli/feature-modules.test.ts › a TypeScript file, with ./ or without, and the built-in features are off',
  'npx longhaul start --watch ./src/tools.ts':
    'test/cli/watch.test.ts › serves what has changed, also in a module that is imported, while a task goes on to its end',
  'npx longhaul start': 'test/cli/start.test.ts › serves on the port of its settings, and says how to connect',
  'LONGHAUL_OPS_PORT=3010 npx longhaul start':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'LONGHAUL_OPS_TOKENS=ada:6b1f0c9d47e2a853:operate,board:90c4e7ab12d5f368:read LONGHAUL_OPS_HOST=0.0.0.0 npx longhaul operator':
    'test/cli/operators.test.ts › a bulk retry whose process is killed goes on in the next one: no task is left out, none is done twice',
  'LONGHAUL_FEATURES=docs/examples/plan-trip.ts npm start':
    'test/tasks/processes/starters.test.ts › are the application of the document, which gives each booking its hotel, also after it was killed',
  'LONGHAUL_OPS_TOKENS=shop:4be0a1f0c9d47e2a:start=find-hotel+plan-trip LONGHAUL_OPS_HOST=0.0.0.0 npx longhaul operator':
    'test/tasks/in-process/starter-places.test.ts › starts only the tools that it names',
  'export LONGHAUL_OPS_URL=https://ops.example.com LONGHAUL_OPS_TOKEN=6b1f0c9d47e2a853':
    'test/cli/operators.test.ts › a bulk retry whose process is killed goes on in the next one: no task is left out, none is done twice',
  'npx longhaul answer TASK NAME=VALUE --reason TEXT':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul signal TASK NAME JSON --reason TEXT': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul tenants':
    'test/cli/operating.test.ts › what a tenant may have is changed while everything runs, and what an owner uses of it is shown',
  'npx longhaul owner OWNER':
    'test/cli/operating.test.ts › what a tenant may have is changed while everything runs, and what an owner uses of it is shown',
  'npx longhaul tenants set TENANT NAME=VALUE --reason TEXT':
    'test/cli/operating.test.ts › what a tenant may have is changed while everything runs, and what an owner uses of it is shown',
  'npx longhaul tenants reset TENANT --reason TEXT':
    'test/cli/operating.test.ts › what a tenant may have is changed while everything runs, and what an owner uses of it is shown',
  'npx longhaul webhooks':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul schedules': 'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules show nightly-report':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules show NAME':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules pause NAME --reason TEXT':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules resume NAME --reason TEXT':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules run NAME --reason TEXT':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules pause nightly-report --reason "the books are closed"':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules resume nightly-report --reason "open again"':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules run nightly-report --reason "to look at the numbers"':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules backfill nightly-report --from 2d --to 1d --reason "the numbers were wrong"':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules add weekly nightly-report days=7 --cron "0 6 * * MON" --time-zone Europe/Berlin --reason "for the board"':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul schedules remove weekly --reason "nobody reads it"':
    'test/cli/schedules.test.ts › schedules are listed, shown, run, paused, backfilled, added and removed',
  'npx longhaul audit':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul audit --by callers':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul audit verify':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul audit verify --json > heads.json':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul audit verify --anchors heads.json':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul audit export':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul audit export FILE --since 1d':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul audit export FILE --format ocsf':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul principals revoke --issuer https://login.example.com/realms/tools --subject ada --reason "left the company"':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul principals revoke':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul principals restore':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul principals list':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul principals show':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul bulk abort OPERATION':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul completion bash':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul bulk list':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul bulk resume OPERATION':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul call TOOL NAME=VALUE': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul call TOOL NAME=VALUE --wait': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul call TOOL --priority 5': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul call': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npm start -- ./docs/examples/publish-note.ts': 'test/docs/long/fresh-copy.test.ts › the first line of %s says how to serve it',
  'npm start -- ./write-book.ts':
    'test/docs/long/fresh-copy.test.ts › the first durable tool continues when its worker is killed, and repeats no recorded chapter',
  'npx longhaul call write-book title="My book"':
    'test/docs/long/fresh-copy.test.ts › the first durable tool continues when its worker is killed, and repeats no recorded chapter',
  'npx longhaul call write-book title="A long book" chapters=20': 'docs/examples/write-book.test.ts › asks before it writes a long book',
  'npx longhaul answer TASK ok=true --reason "a good title"':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul stats': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul stats --over week': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul stats --tool TOOL': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul queue pause': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul queue pause --tool TOOL --reason TEXT': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul queue resume': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul queue resume --tool TOOL --reason TEXT': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul replay': 'test/cli/operating.test.ts › a history is exported, imported, and held against code',
  'npx longhaul replay FILE': 'test/cli/operating.test.ts › a history is exported, imported, and held against code',
  'npx longhaul replay FILE --features ./src/tools.ts':
    'test/cli/operating.test.ts › a history is exported, imported, and held against code',
  'npx longhaul tasks import FILE': 'test/cli/operating.test.ts › a history is exported, imported, and held against code',
  'npx longhaul tasks import FILE --reason TEXT': 'test/cli/operating.test.ts › a history is exported, imported, and held against code',
  'npx longhaul tasks list --query "status=failed tool=charge since=2h"':
    'test/cli/operating.test.ts › a history is exported, imported, and held against code',
  'npx longhaul tasks retry': 'test/cli/operating.test.ts › a history is exported, imported, and held against code',
  'npx longhaul answer --tool TOOL NAME=VALUE --reason TEXT':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul answer --tool survey count=3 --reason "counted by hand"':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul replay ship.json --features ./shop.mjs':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul tasks cancel TASK TASK --reason "they never end"':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul tasks export TASK ship.json':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul tasks list --status failed --tool charge':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul tasks retry --tool charge --failure BANK_SAYS_NO --reason "the bank is back"':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul tasks retry TASK --reason "the code has changed"':
    'test/operator/processes/exercise.test.ts › finds and puts right what is wrong in a deployment, in at most 15 commands',
  'npx longhaul failures show FAILURE':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul failures retry FAILURE --from failed-step --reason TEXT':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul failures snooze FAILURE --until 2h --reason TEXT':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul failures dismiss FAILURE --reason TEXT':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul failures reopen FAILURE --reason TEXT':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul failures --state all':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks list --group FAILURE':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks list --where orderId=4711':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul bulk made OPERATION':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul failures':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul operator':
    'test/cli/operators.test.ts › a bulk retry whose process is killed goes on in the next one: no task is left out, none is done twice',
  'npx longhaul questions':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul queue --json': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul queue': 'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks': 'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks --help':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks cancel --tool charge --before 2h --dry-run':
    'test/cli/operators.test.ts › a bulk retry whose process is killed goes on in the next one: no task is left out, none is done twice',
  'npx longhaul tasks cancel TASK --reason TEXT':
    'test/cli/operators.test.ts › a bulk retry whose process is killed goes on in the next one: no task is left out, none is done twice',
  'npx longhaul tasks result TASK FILE':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks export TASK FILE':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks follow TASK':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks list':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks list --status failed --tool TOOL --failure REASON':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks list --status failed --tool charge --since 2h':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks retry 6f1c9a52-6f0e-4a53-9b7c-3b1f5d2a8e11 --from charge --reason "the bank is back"':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks retry TASK --from STEP --reason TEXT':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks show 6f1c9a52-6f0e-4a53-9b7c-3b1f5d2a8e11':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks show TASK':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks watch':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks watch --status working':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul wait TASK --timeout 90s':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul warnings':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul backup tasks-2026-11-26.db':
    'test/cli/backup.test.ts › a backup is made beside a running deployment, and restores its tasks and large values',
  'npx longhaul backup FILE':
    'test/cli/backup.test.ts › a backup is made beside a running deployment, and restores its tasks and large values',
  'npx longhaul restore tasks-2026-11-26.db --force':
    'test/cli/backup.test.ts › a backup is made beside a running deployment, and restores its tasks and large values',
  'npx longhaul workers':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul keys': 'test/cli/keys.test.ts › shows what still uses which key, and has all of it wrapped by the one that writes',
  'npx longhaul keys rewrap': 'test/cli/keys.test.ts › shows what still uses which key, and has all of it wrapped by the one that writes',
  'npx longhaul memory export graph.jsonl': 'test/cli/memory.test.ts › a graph of longhaul stdio is imported and exported byte for byte',
  'npx longhaul memory import graph.jsonl': 'test/cli/memory.test.ts › a graph of longhaul stdio is imported and exported byte for byte',
  'npx node docs/examples/story.ts <taskId>': 'test/docs/examples.test.ts › is read from the data file of longhaul start',
  'sh docs/examples/survive.sh':
    'test/docs/examples.test.ts › waits for its answer when they are started again, and ends, as the picture shows',
  'sh docs/examples/first-session.sh':
    'test/docs/long/fresh-copy.test.ts › `npm start` compiles and serves, and the examples for its users run',
  'npx rolldown libs/client/dist/index.js --platform browser --format esm --minify --file longhaul-client.js':
    'test/client/browser/pages.test.ts › runs a task, goes on with it when it is loaded again, asks its user and shows the result',
  'npx oxlint --type-aware': 'test/docs/tool-testing.test.ts › find each way to forget an await, and nothing else',
  'docker build --target gateway -t longhaul-gateway .':
    'test/containers/images.test.ts › adds less than 300 MB to its base, runs as a user and says what it is',
  'docker build --target worker -t longhaul-worker .':
    'test/containers/images.test.ts › adds less than 300 MB to its base, runs as a user and says what it is',
  'docker build --target operator -t longhaul-operator .':
    'test/containers/images.test.ts › adds less than 300 MB to its base, runs as a user and says what it is',
  'docker compose --profile operator up --detach':
    'test/containers/compose.test.ts › serves the operator API on a port of this machine to those whom a setting names, with its profile',
  'docker build --target longhaul -t longhaul .':
    'test/containers/images.test.ts › adds less than 300 MB to its base, runs as a user and says what it is',
  'docker compose up --build --scale gateway=2 --scale worker=2':
    'test/containers/compose.test.ts › starts all of it healthy, behind a port of this machine only',
  'docker compose up --scale gateway=2 --scale worker=2':
    'test/containers/compose.test.ts › starts all of it healthy, behind a port of this machine only',
  'docker compose up --detach --scale gateway=3 --scale worker=3':
    'test/containers/compose.test.ts › follows --scale without a restart of nginx: one gateway less, then two more',
  'docker compose --profile auth up --build':
    'test/containers/log-in.test.ts › lets a user log in by authorization code with PKCE, and run a task',
  'npx node docs/examples/log-in.ts': 'test/containers/log-in.test.ts › lets a user log in by authorization code with PKCE, and run a task',
  'CLIENT_SECRET=$LONGHAUL_LOGIN_CLIENT_SECRET npx node docs/examples/log-in.ts':
    'test/containers/log-in.test.ts › lets a program in by client credentials, and run a task',
  'npm run bundle': 'test/distribution/long/bundle.test.ts › it has nothing that depends on the system',
  'export LONGHAUL_SECRET=$(openssl rand -hex 32) LONGHAUL_TOKENS=ada:token-of-ada-0001,bob:token-of-bob-0001':
    'test/containers/cells.test.ts › sends each user to one cell, whose worker runs its tasks, and users to both',
  'docker compose -f deploy/cells/docker-compose.yml up --build':
    'test/containers/cells.test.ts › sends each user to one cell, whose worker runs its tasks, and users to both',
  'docker compose -f docker-compose.yml -f docker-compose.production.yml up --detach':
    'test/containers/production.test.ts › lets in whom the file names, and shows its content to nobody who asks Docker',
};
