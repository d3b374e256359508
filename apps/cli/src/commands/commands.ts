import type { Command, Flag } from '../command-line/command.js';
import { completionOf, SHELLS } from '../command-line/completion.js';
import { OUTPUT_FLAGS } from '../operators/command-line/flags.js';
import { operatorCommands } from '../operators/verbs/table.js';
import type { Terminal } from '../terminal.js';

const OWNER_FLAG: Flag = {
  name: 'owner',
  value: 'NAME',
  summary: 'a caller in LONGHAUL_TOKENS, instead of the user of longhaul stdio',
};

/** All commands; the first one runs by default. Each loads what it needs when it runs, so that help is quick. */
export const commands: readonly Command[] = [
  {
    usage: 'start [MODULE…]',
    summary:
      'starts gateway and worker, on a data file or on the Redis of REDIS_URL; a module is a file, a package or a folder of features',
    flags: [{ name: 'watch', summary: 'start again when one of the files changes' }],
    run: async (given, terminal) => (await import('./start.js')).start(given, terminal),
  },
  {
    usage: 'stdio [MODULE…]',
    summary: 'starts the same for one desktop client, on standard input and output',
    run: async (given, terminal) => (await import('./stdio.js')).stdio(given, terminal),
  },
  {
    usage: 'proxy [FILE] [COMMAND…]',
    summary: 'serves other MCP servers, with their slow tools as durable tasks: from a file, a URL, or a command after "--"',
    run: async (given, terminal) => (await import('./proxy.js')).proxy(given, terminal),
  },
  {
    usage: 'servers [FILE]',
    summary: 'lists the servers behind the proxies of the deployment, for operators; with a file, the servers of the file',
    flags: [
      { name: 'check', summary: 'connect the servers of the file, or of LONGHAUL_SERVERS, and compare their tools with the file' },
      { name: 'pin', summary: 'approve their tools as they are now, where the file says "pin": true' },
      ...OUTPUT_FLAGS,
    ],
    run: async (given, terminal) => (await import('./servers.js')).servers(given, terminal),
  },
  {
    usage: 'agent [QUESTION…]',
    summary: 'gives a question to a language model, which uses the tools of MCP servers; without a question you talk until you leave',
    flags: [
      { name: 'server', value: 'SERVER', summary: 'the name of a listed server, a URL, or a command; several times for several servers' },
      { name: 'root', value: 'FOLDER', summary: 'a folder that servers may work with (.); several times for several folders' },
      { name: 'model', value: 'NAME', summary: 'a model instead of LONGHAUL_AGENT_MODEL' },
      { name: 'max-rounds', value: 'COUNT', summary: 'the most model calls for one question' },
      { name: 'thread', value: 'NAME', summary: 'keep the conversation under this name, or continue it' },
      { name: 'continue', summary: 'continue the conversation that was used last' },
      { name: 'fork', value: 'NAME@N', summary: 'start another conversation from before question N of this one' },
      { name: 'list', summary: 'list the conversations that are kept' },
      OWNER_FLAG,
      { name: 'output-schema', value: 'FILE', summary: 'a JSON Schema that the answer has to fit; the answer is printed as JSON' },
      { name: 'json', summary: 'print the outcome as one JSON object' },
      { name: 'stream-json', summary: 'print one JSON object a line: each event, and the outcome at the end' },
      { name: 'stream', summary: 'print the answer while it is generated, also into a pipe' },
      { name: 'yes', summary: 'allow every call without a question' },
    ],
    run: async (given, terminal) => (await import('./agent.js')).agent(given, terminal),
  },
  {
    usage: 'agent eval FILE',
    summary: 'runs the cases of a file with the agent, and checks its answers',
    flags: [
      { name: 'fresh', summary: 'begin a new run, also if the last one was cut off' },
      { name: 'json', summary: 'print the report as one JSON object' },
    ],
    run: async (given, terminal) => (await import('./agent-eval.js')).agentEval(given, terminal),
  },
  {
    usage: 'agent login SERVER',
    summary: 'logs you in to a server with your browser, for longhaul agent: a name in LONGHAUL_AGENT_SERVERS, or a URL',
    run: async (given, terminal) => (await import('./agent-login.js')).agentLogin('login', given, terminal),
  },
  {
    usage: 'agent logout SERVER',
    summary: 'logs you out of a server',
    run: async (given, terminal) => (await import('./agent-login.js')).agentLogin('logout', given, terminal),
  },
  {
    usage: 'memory import FILE',
    summary: 'imports a knowledge graph from a file of the reference server Memory',
    flags: [OWNER_FLAG],
    run: async (given, terminal) => (await import('./memory.js')).memory('import', given, terminal),
  },
  {
    usage: 'memory export FILE',
    summary: 'exports a knowledge graph to a file of the reference server Memory',
    flags: [OWNER_FLAG],
    run: async (given, terminal) => (await import('./memory.js')).memory('export', given, terminal),
  },
  {
    usage: 'keys',
    summary: 'shows which keys of LONGHAUL_KEYS are in use',
    run: async (_, terminal) => (await import('./keys.js')).keys('show', terminal),
  },
  {
    usage: 'keys rewrap',
    summary: 'wraps all data keys with the first key of LONGHAUL_KEYS',
    run: async (_, terminal) => (await import('./keys.js')).keys('rewrap', terminal),
  },
  {
    usage: 'backup FILE',
    summary: 'copies the data file and its large values to one file, while the deployment runs',
    run: async (given, terminal) => (await import('./backup.js')).backup(given, terminal),
  },
  {
    usage: 'restore FILE',
    summary: 'replaces the data file of a stopped deployment by a backup',
    flags: [{ name: 'force', summary: 'also if there is a data file, which is kept as longhaul.db.before-restore' }],
    run: async (given, terminal) => (await import('./backup.js')).restore(given, terminal),
  },
  {
    usage: 'operator',
    summary: 'starts the operator API alone, on LONGHAUL_OPS_PORT (3010)',
    run: async (_, terminal) => (await import('./operator.js')).operator(terminal),
  },
  ...SHELLS.map((shell) => ({
    usage: `completion ${shell}`,
    summary: `prints the completions of these commands for ${shell}`,
    run: async (_: unknown, terminal: Terminal) => {
      terminal.out(completionOf(shell, commands));
      return 0;
    },
  })),
  ...operatorCommands,
];
