import { OUTPUT_FLAGS } from './flags.js';
/** How a command is called. */
export function usageOf({ words, takes, flags }) {
    return ['longhaul', ...words, ...(takes === undefined ? [] : [takes]), ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
}
/** What is printed for `--help` after the words that these commands begin with. */
export function helpOf(verbs) {
    const lines = verbs.flatMap((verb) => {
        const shown = [...verb.flags, ...OUTPUT_FLAGS].map(({ name, value, summary }) => [value === undefined ? `--${name}` : `--${name} ${value}`, summary]);
        const width = Math.max(...shown.map(([flag]) => flag.length));
        return [usageOf(verb), `  ${verb.summary}`, ...shown.map(([flag, summary]) => `    ${flag.padEnd(width)}  ${summary}`), ''];
    });
    return [
        ...lines,
        'Against the operator API of LONGHAUL_OPS_URL, with LONGHAUL_OPS_TOKEN; without it, on the data folder or the Redis of the environment.',
        'Exit codes: 0, 1 failed, 2 not understood, 3 no such task, 4 not allowed, 5 ended already, 6 not reachable.',
    ].join('\n');
}
//# sourceMappingURL=help.js.map