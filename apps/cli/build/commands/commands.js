import { topWords, verbs } from '../operators/verbs/table.js';
/** Those for operators, which have help of their own. */
const forOperators = topWords.map((name) => ({
    name,
    summary: summaryOf(name),
    hasHelp: true,
    run: async (args, terminal) => (await import('../operators/run-verb.js')).runVerb(name, args, terminal),
}));
/** All commands; the first one runs when none is named. Each loads what it needs when it runs, so that help is quick. */
export const commands = [
    {
        name: 'start',
        summary: 'Starts gateway and worker, on a data file or on the Redis of REDIS_URL: start [--watch] [MODULE…]. A module is a file, a package or a folder of features.',
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
    {
        name: 'keys',
        summary: 'Shows which of LONGHAUL_KEYS are used, or has the first one wrap all data keys: keys [rewrap].',
        run: async (args, terminal) => (await import('./keys.js')).keys(args, terminal),
    },
    {
        name: 'operator',
        summary: 'Starts the operator API alone, on LONGHAUL_OPS_PORT (3010).',
        run: async (args, terminal) => (await import('./operator.js')).operator(args, terminal),
    },
    ...forOperators,
    {
        name: 'completion',
        summary: 'Prints what a shell completes these commands by: completion bash|zsh|fish.',
        run: async ([shell], terminal) => {
            const { completionOf } = await import('../operators/completion.js');
            terminal.out(completionOf(shell, commands.map(({ name }) => name), verbs));
            return 0;
        },
    },
];
function summaryOf(name) {
    const own = verbs.filter(({ words }) => words[0] === name);
    const [only] = own;
    const seconds = own.flatMap(({ words: [, second] }) => second ?? []);
    if (own.length > 1)
        return `For operators: ${name} ${seconds.length < own.length ? `[${seconds.join('|')}]` : seconds.join('|')}.`;
    return `For operators: ${only?.summary ?? ''}.`;
}
//# sourceMappingURL=commands.js.map