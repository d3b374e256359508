/** Nothing is. */
export const NOTHING_PAUSED = { all: false, tools: [] };
const OF_TOOL = 'tool:';
/** @param tool absent for all tools */
export function pauseName(tool) {
    return tool === undefined ? 'all' : `${OF_TOOL}${tool}`;
}
/** What pauses of these names stop. */
export function pausedWork(names) {
    const tools = names.filter((name) => name.startsWith(OF_TOOL)).map((name) => name.slice(OF_TOOL.length));
    return { all: names.includes('all'), tools: tools.toSorted() };
}
//# sourceMappingURL=queue-pauses.js.map