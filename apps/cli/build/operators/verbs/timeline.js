import { duration } from '../output/texts.js';
const PAGE = 2_000;
/** All of it, page by page. */
export async function timelineOf(api, taskId) {
    const all = { passes: [], operations: [], waits: [] };
    for (let offset = 0;;) {
        const page = await api.get(`/tasks/${taskId}/timeline`, { offset, limit: PAGE });
        all.passes.push(...page.passes);
        all.operations.push(...page.operations);
        all.waits.push(...page.waits);
        offset = page.next;
        if (offset === undefined)
            return { ...all, counts: page.counts };
    }
}
/** The end of it: the last spans of each kind, and how many there are of all. */
export function timelineEnd(api, taskId, last) {
    return api.get(`/tasks/${taskId}/timeline`, { last });
}
export const TIMELINE_COLUMNS = [
    { title: 'BEGAN', text: ({ at }) => at },
    { title: 'WHAT', text: ({ what }) => what },
    { title: 'NAME', text: ({ name }) => name },
    { title: 'STATUS', text: ({ status }) => status },
    { title: 'TOOK', text: ({ took }) => took },
    { title: 'NOTE', width: 80, text: ({ note }) => note },
];
/** The lines of a timeline. What was not recorded to have begun comes first. */
export function timelineRows({ passes, operations, waits }) {
    const rows = [...passes.map(rowOfPass), ...operations.map(rowOfOperation), ...waits.map(rowOfWait)];
    // The sort is stable, and a pass begins before what it does.
    return rows.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
function rowOfPass({ pass, attempt, workerId, startedAt, endedAt, ending = 'running', error }) {
    return row(startedAt, endedAt, { what: 'pass', name: `${pass}, attempt ${attempt}`, status: ending, note: [workerId, textOf(error)] });
}
function rowOfOperation({ key, kind, status, startedAt = '', settledAt, tries, isCopied }) {
    const lost = tries.filter(({ isLost }) => isLost === true).length;
    const notes = [
        tries.length > 1 ? `${tries.length} tries` : undefined,
        lost > 0 ? `${lost} lost` : undefined,
        isCopied === true ? 'taken over' : undefined,
        textOf(tries.at(-1)?.error),
    ];
    return row(startedAt, settledAt, { what: kind, name: key, status, note: notes });
}
function rowOfWait({ reason, keys, startedAt, endedAt }) {
    return row(startedAt, endedAt, { what: 'wait', name: keys.join(', '), status: reason, note: [] });
}
function row(at, end, { note, ...rest }) {
    const took = at === '' || end === undefined ? {} : { took: duration(Date.parse(end) - Date.parse(at)) };
    const notes = note.filter((text) => text !== undefined).join('; ');
    return { at, ...rest, ...took, ...(notes !== '' && { note: notes }) };
}
function textOf(error) {
    return error && `${error.name}: ${error.message}`;
}
//# sourceMappingURL=timeline.js.map