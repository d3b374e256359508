/**
 * Every command of the documents, and what runs it. What nothing runs is in `BY_HAND`, with the reason: the machines of the
 * gates have no such thing.
 */

/** By a test, which is named as in `named-tests.ts`. */
export const RUN_BY_TESTS: Readonly<Record<string, string>> = {
  'npm start': 'test/docs/long/fresh-copy.test.ts › `npm start` compiles and serves, and the examples for its users run',
  'LONGHAUL_FEATURES=@longhaul/reference-servers/memory,@longhaul/reference-servers/time npm start':
    'test/cli/reference-servers.test.ts › are listed, and each of them works',
  'npm run build -- examples': 'test/docs/long/fresh-copy.test.ts › the first line of %s says how to serve it',
  'npm run build': 'test/docs/long/fresh-copy.test.ts › `npm run clean` leaves nothing compiled, and `npm run build` compiles it again',
  'npm run clean': 'test/docs/long/fresh-copy.test.ts › `npm run clean` leaves nothing compiled, and `npm run build` compiles it again',
  'npm run dev': 'test/docs/long/fresh-copy.test.ts › `npm run dev` serves',
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
  'npx longhaul agent': 'test/cli/agent-terminal.test.ts › streams answers, goes on with what came before, and ends with the input',
  'npx longhaul agent "question"': 'test/cli/agent.test.ts › is answered through a tool, with no server named',
  'npx longhaul agent "What is the date in Tokyo?"': 'test/cli/agent.test.ts › is answered through a tool, with no server named',
  'npx longhaul agent "…" > answer.txt': 'test/cli/agent.test.ts › is answered through a tool, with no server named',
  'npx longhaul start ./src/tools.ts':
    'test/cli/feature-modules.test.ts › a TypeScript file, with ./ or without, and the built-in features are off',
  'npx longhaul start --watch ./src/tools.ts':
    'test/cli/watch.test.ts › serves what has changed, also in a module that is imported, while a task goes on to its end',
  'npx longhaul start': 'test/cli/start.test.ts › serves on the port of its settings, and says how to connect',
  'LONGHAUL_OPS_PORT=3010 npx longhaul start':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'LONGHAUL_OPS_TOKENS=ada:6b1f0c9d47e2a853:operate,board:90c4e7ab12d5f368:read LONGHAUL_OPS_HOST=0.0.0.0 npx longhaul operator':
    'test/cli/operators.test.ts › a bulk %s whose process is killed goes on in the next one: no task is left out, none is done twice',
  'export LONGHAUL_OPS_URL=https://ops.example.com LONGHAUL_OPS_TOKEN=6b1f0c9d47e2a853':
    'test/cli/operators.test.ts › a bulk %s whose process is killed goes on in the next one: no task is left out, none is done twice',
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
  'npx longhaul audit export FILE':
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
  'npx longhaul call TOOL NAME=VALUE --reason TEXT --wait':
    'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
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
  'npx longhaul failed':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul operator':
    'test/cli/operators.test.ts › a bulk %s whose process is killed goes on in the next one: no task is left out, none is done twice',
  'npx longhaul questions':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul queue --json': 'test/cli/operating.test.ts › a tool is started by its schema, paused and resumed',
  'npx longhaul queue': 'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks': 'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks --help':
    'test/cli/operators.test.ts › tasks are followed, watched, exported and counted, and shells complete the commands',
  'npx longhaul tasks cancel --tool charge --before 2h --dry-run':
    'test/cli/operators.test.ts › a bulk %s whose process is killed goes on in the next one: no task is left out, none is done twice',
  'npx longhaul tasks cancel TASK --reason TEXT':
    'test/cli/operators.test.ts › a bulk %s whose process is killed goes on in the next one: no task is left out, none is done twice',
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
  'npx longhaul tasks retry 6f1c9a52-6f0e-4a53-9b7c-3b1f5d2a8e11 --step charge --reason "the bank is back"':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul tasks retry TASK --step STEP --reason TEXT':
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
  'npx longhaul workers':
    'test/cli/operators.test.ts › a failed task is found and done again from the step that failed, and a question is answered',
  'npx longhaul keys': 'test/cli/keys.test.ts › shows what still uses which key, and has all of it wrapped by the one that writes',
  'npx longhaul keys rewrap': 'test/cli/keys.test.ts › shows what still uses which key, and has all of it wrapped by the one that writes',
  'npx longhaul memory': 'test/cli/memory.test.ts › a graph of longhaul stdio is imported and exported byte for byte',
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

/** By a stage of a gate, as a part of what the stage runs. */
export const RUN_BY_GATES: Readonly<Record<string, { readonly gate: '.ci/run' | '.ci/full'; readonly stage: string }>> = {
  'npm ci --include=dev': { gate: '.ci/run', stage: 'npm ci --include=dev' },
  'npm run check': { gate: '.ci/run', stage: 'npm run check' },
  'npm test': { gate: '.ci/run', stage: 'npm test' },
  'npm test -- test/distribution test/containers/manifests': { gate: '.ci/run', stage: 'npm test' },
  'npm test -- --project sqlite': { gate: '.ci/run', stage: 'npm test' },
  'LONGHAUL_TEST_IMAGES=1 npm test -- test/operator/browser/views': { gate: '.ci/run', stage: 'npm test' },
  'npm run test:long -- test/stores/long/cluster-lost-writes': { gate: '.ci/full', stage: 'npm run test:long' },
  'npm test -- test/deploys/in-process/versions test/deploys/processes/rolling-deploys': { gate: '.ci/run', stage: 'npm test' },
  'npm run conformance': { gate: '.ci/run', stage: 'npm run conformance' },
  'npm run conformance -- --requirements 2026-07-28': { gate: '.ci/run', stage: 'npm run conformance' },
  'npm install': { gate: '.ci/run', stage: 'npm run pack:check -- --smoke' },
  'npm create longhaul@latest': { gate: '.ci/run', stage: 'npm run pack:check -- --smoke' },
  'npm run pack -- --into ../my-tools && cd ../my-tools && npm install && npm run dev': {
    gate: '.ci/run',
    stage: 'npm run pack:check -- --smoke',
  },
  'npm create longhaul@latest my-tools': { gate: '.ci/run', stage: 'npm run pack:check -- --smoke' },
  'npm install longhaul @longhaul/mcp-features zod': { gate: '.ci/run', stage: 'npm run pack:check -- --smoke' },
  'npm create longhaul': { gate: '.ci/run', stage: 'npm run pack:check -- --smoke' },
  'npm run pack -- --into ../my-tools': { gate: '.ci/run', stage: 'npm run pack:check -- --smoke' },
  'npm run pack': { gate: '.ci/run', stage: 'npm run pack:check -- --smoke' },
  'npm run pack:check': { gate: '.ci/full', stage: 'npm run pack:check' },
  'npm run clients': { gate: '.ci/full', stage: 'npm run clients' },
  'npm run clients -- fastmcp': { gate: '.ci/full', stage: 'npm run clients' },
  'npm run clients -- fastmcp sdk-v2': { gate: '.ci/full', stage: 'npm run clients' },
  'npm run clients -- played': { gate: '.ci/full', stage: 'npm run clients' },
  'npm run peers': { gate: '.ci/full', stage: 'npm run peers' },
  'npm run upstreams': { gate: '.ci/full', stage: 'npm run upstreams' },
  'npm run agent:checks': { gate: '.ci/full', stage: 'npm run agent:checks' },
  'npm run test:containers': { gate: '.ci/full', stage: 'npm run test:containers' },
  'npm run test:containers -- gateway-death': { gate: '.ci/full', stage: 'npm run test:containers' },
  'npm run test:containers -- images': { gate: '.ci/full', stage: 'npm run test:containers' },
  'npm run test:containers -- redis-outage': { gate: '.ci/full', stage: 'npm run test:containers' },
  'npm run test:containers -- rolling-restart': { gate: '.ci/full', stage: 'npm run test:containers' },
  'npm run test:containers -- throughput': { gate: '.ci/full', stage: 'npm run test:containers' },
  'npm run test:load': { gate: '.ci/full', stage: 'npm run test:load' },
  'npm test -- --slowest': { gate: '.ci/run', stage: 'npm test' },
  'LOAD_ROUNDS=2 npm run test:load -- test/tasks': { gate: '.ci/full', stage: 'npm run test:load' },
  'npm run test:long': { gate: '.ci/full', stage: 'npm run test:long' },
  'npm run test:long -- test/faults/processes/outage': { gate: '.ci/full', stage: 'npm run test:long' },
  'npm run test:long -- test/faults/in-process/sweep': { gate: '.ci/full', stage: 'npm run test:long' },
  'npm run test:long -- test/faults/processes/poison': { gate: '.ci/full', stage: 'npm run test:long' },
  'npm run test:long -- test/operator/processes/exercise test/operator/browser/exercise': { gate: '.ci/full', stage: 'npm run test:long' },
  'npm run test:long -- test/tasks/long/waiting': { gate: '.ci/full', stage: 'npm run test:long' },
  'npm run chaos': { gate: '.ci/full', stage: 'npm run chaos -- all' },
  'npm run chaos -- all': { gate: '.ci/full', stage: 'npm run chaos -- all' },
  'npm run chaos -- kill --sqlite': { gate: '.ci/full', stage: 'npm run chaos -- all --sqlite' },
  'npm run chaos -- deploy': { gate: '.ci/full', stage: 'npm run chaos -- all' },
  'npm run chaos -- full': { gate: '.ci/full', stage: 'npm run chaos -- all' },
  'npm run chaos -- liveness': { gate: '.ci/full', stage: 'npm run chaos -- all' },
  'npm run chaos -- outage': { gate: '.ci/full', stage: 'npm run chaos -- all' },
  'npm run chaos -- proxy': { gate: '.ci/full', stage: 'npm run chaos -- all' },
  'npm run chaos -- poison': { gate: '.ci/full', stage: 'npm run chaos -- all' },
};

/** By nothing but a person. */
export const BY_HAND: Readonly<Record<string, string>> = {
  'npm run release:pin': 'asks a registry; scripts/pin-images.unit.test.ts has digests of its own',
  'npm run release -- 0.2.0': 'it changes the version of the checkout that it runs in, and needs one without changes',
  'kubectl apply -k deploy/kubernetes': 'needs a cluster; test/containers/manifests reads the files',
  'kubectl apply -n longhaul -f deploy/kubernetes/ingress.yaml -f deploy/kubernetes/workers-by-queue.yaml':
    'needs a cluster with an ingress and an autoscaler; test/containers/manifests reads the files',
  'kubectl apply -n longhaul -f deploy/kubernetes/operator.yaml': 'needs a cluster; test/containers/manifests reads the files',
  'kubectl port-forward -n longhaul service/longhaul-operator 3010:80': 'needs a cluster',
  'kubectl create secret generic -n longhaul longhaul-worker --from-env-file=…': 'needs a cluster',
  'kubectl rollout restart -n longhaul deployment': 'needs a cluster',
  'helm install longhaul deploy/helm/longhaul --namespace longhaul --create-namespace --values my-values.yaml':
    'needs a cluster; test/containers/chart.test.ts lints and renders the chart',
  'docker run --rm -i longhaul stdio': 'the tests start the image with its other command, and this command without an image',
  'REGISTRY=registry.example.com/ docker buildx bake --file docker-bake.hcl --push':
    'needs a registry and a builder for both architectures; test/containers/manifests reads the file',
  'npx -y longhaul stdio': 'takes the published package; the tests start the same command of this repository, and of the bundle',
  'docker buildx bake': 'the same without what is set for it',
  'docker buildx imagetools inspect': 'needs a registry',
  'helm package deploy/helm/longhaul': 'test/containers/chart.test.ts renders what this packs',
  'helm push': 'needs a registry',
  'docker inspect': 'what would show a secret that is not in a file; test/containers/production.test.ts asks the same of the engine',
  'docker run --init': 'an option of Docker, for those who write a command line of their own',
  'docker stats --no-stream': 'how a measurement was made',
  'docker compose run --rm redis-cli': 'a shell',
  'docker compose run --rm redis-cli info memory': 'how a measurement was made',
  'docker compose build': 'the tests of containers build the same images, by another command',
  'docker compose up --build --detach': 'its form in the foreground is run',
  'docker compose up --detach --no-deps worker': 'test/containers/rolling-restart.test.ts replaces containers one by one',
  'docker compose up --detach --no-deps gateway': 'test/containers/rolling-restart.test.ts replaces containers one by one',
  'docker compose down': 'the tests end their project by the same, with its volume',
  'export LONGHAUL_SECRET=$(openssl rand -hex 32) LONGHAUL_ALLOW_ANONYMOUS=1': 'the tests make their secret by themselves',
  'export LONGHAUL_KEYS=2026-11=file:$PWD/keys/2026-11': 'the tests make their keys by themselves',
  'export LONGHAUL_SECRET=$(openssl rand -hex 32) LONGHAUL_LOGIN_CLIENT_SECRET=$(openssl rand -hex 32)':
    'the tests make their secrets by themselves',
  [`export LONGHAUL_PUBLIC_URL=http://localhost:3000/mcp LONGHAUL_SCOPES='{"required":["mcp"]}'`]:
    'test/containers/log-in.test.ts sets the same for other ports',
  [`export LONGHAUL_ISSUERS='[{"issuer":"http://localhost:3020","jwksUri":"http://authorization-server.localhost:3020/jwks"}]'`]:
    'test/containers/log-in.test.ts sets the same for other ports',
  'echo "LONGHAUL_SECRET=$(openssl rand -hex 32)" >.env': 'the tests make their secret by themselves',
  'echo "LONGHAUL_TOKENS=ada:$(openssl rand -hex 32)" >>.env': 'the tests make their tokens by themselves',
  [`printf %s "$TASK" | sha256sum | cut -c1-12`]: 'the hash is tested where it is made',
  'npm run bench -- --rounds 5 --ms 3000 --concurrency 32': 'takes minutes, of a machine that does nothing else; a short run is tested',
  'npm run bench -- --beside ../longhaul-before': 'takes minutes, of a machine that does nothing else, and needs a second clone',
  'npm run bench -- --beside ../longhaul-before --rounds 5 --ms 2000 --warm-up-ms 500':
    'takes minutes, of a machine that does nothing else, and needs a second clone',
  "npm run bench -- --beside ../longhaul-before --rows '^(other )?task 2025$' --rounds 24 --ms 1000 --warm-up-ms 400":
    'takes minutes, of a machine that does nothing else, and needs a second clone',
  'npm run bench -- --check': 'takes minutes, of a machine that does nothing else; a short run is tested',
  'npm run bench -- operators': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- proxy': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- proxy --rounds 5 --ms 3000 --fastmcp /tmp/fastmcp/bin/python': 'takes minutes, and needs FastMCP for Python',
  'npm run bench -- trust': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- trust --rounds 20 --tasks 2000': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- memory': 'takes ten minutes',
  'npm run bench -- memory --minutes 10': 'takes ten minutes',
  'npm run bench -- telemetry --rounds 28': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- telemetry': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- start': 'takes a minute, of a machine that does nothing else; test/cli shows what it measures',
  'npm run bench -- start --times 7': 'takes a minute, of a machine that does nothing else; test/cli shows what it measures',
  'npm run bench -- streams': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- --sqlite': 'takes minutes, of a machine that does nothing else; a short run is tested without it',
  "npm run bench -- --sqlite --rows '^(sqlite )?(task|get|lag 4|one) 2025$' --rounds 3 --ms 1500 --warm-up-ms 500":
    'takes a minute, of a machine that does nothing else',
  'npm run bench -- cluster': 'takes a minute, of a machine that does nothing else',
  'npm run bench -- cluster --ms 4000': 'takes a minute, of a machine that does nothing else',
  'npm run bench -- scale': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- scale --ms 5000 --tasks 100000 --streams 10000': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- scale --ms 500 --tasks 1000 --streams 10000': 'takes minutes, of a machine that does nothing else',
  'npm run bench -- turns': 'takes a minute, most of which the tasks wait; what it measures is in the contract of the queue',
  'CHAOS_SEED=1581118163 npm run chaos': 'repeats one run of chaos, which the gates make with other seeds',
  'npm ci': 'npm ci --include=dev, without the tools of development',
  'npm ci --loglevel=warn': 'npm ci, with more words',
  'npm run coverage': 'npm test, with counters',
  'npm run format': 'npm run check fails where it would change something',
  'npm run agent:model': 'waits until it is interrupted; npm run agent:checks starts the same model',
  'export LONGHAUL_AGENT_BASE_URL=http://127.0.0.1:8080/v1 LONGHAUL_AGENT_MODEL=smollm2 LONGHAUL_AGENT_TOOL_MODE=schema':
    'npm run agent:checks sets the same for its model',
  'npx longhaul agent "What is in this folder?" --server "npx -y @modelcontextprotocol/server-filesystem ."':
    'downloads a package; test/cli/agent.test.ts has a server of its own',
  'LONGHAUL_SERVERS=./mcp.json npm start': 'npm start with a variable that test/proxy/processes sets',
  'LONGHAUL_FEATURES=@longhaul/everything,@longhaul/agent/feature npm start': 'needs a model; the tests of the tool have a scripted one',
  'docker compose --profile agent up vllm': 'downloads gigabytes, and needs a GPU or patience',
  'docker compose --profile agent-cpu up llama-cpp': 'downloads gigabytes',
  '.ci/run': 'the gate itself',
  '.ci/full': 'the gate itself',
  '.ci/full long': 'the gate itself',
  '.ci/full redis-tls': 'the gate itself',
  '.ci/full chaos': 'the gate itself',
};
