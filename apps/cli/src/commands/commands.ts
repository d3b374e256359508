import type { Command } from './command.js';

/** All commands; the first one runs when none is named. Each loads what it needs when it runs, so that help is quick. */
export const commands: readonly Command[] = [
  {
    name: 'start',
    summary: 'Starts gateway and worker: start [--watch] [MODULE…]. A module is a file, a package or a folder of features.',
    run: async (args, terminal) => (await import('./start.js')).start(args, terminal),
  },
  {
    name: 'stdio',
    summary: 'The same for one client, on standard input and output, for desktop clients: stdio [MODULE…].',
    run: async (args, terminal) => (await import('./stdio.js')).stdio(args, terminal),
  },
  {
    name: 'agent',
    summary: 'Has a language model work with the tools of MCP servers: agent [QUESTION] [--server NAME|URL|COMMAND]…',
    run: async (args, terminal) => (await import('./agent.js')).agent(args, terminal),
  },
  {
    name: 'memory',
    summary: 'Imports or exports a knowledge graph: memory import|export [--owner NAME] FILE.',
    run: async (args, terminal) => (await import('./memory.js')).memory(args, terminal),
  },
];
