/** Flags that several commands have, and what they mean for the API. */
import { UserError } from '../../user-error.js';
import { EXIT } from '../api/exit-codes.js';
/** As `ROW_STATUSES` of the engine, which help and completion do without. */
export const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
/** What every command has. */
export const OUTPUT_FLAGS = [
    { name: 'json', summary: 'print what the operator API answers, as one JSON value' },
    { name: 'jsonl', summary: 'print each entry as JSON on a line of its own' },
];
/** Which tasks. */
export const FILTER_FLAGS = [
    { name: 'status', value: 'STATUS', summary: 'with this status; several separated by commas', choices: STATUSES },
    { name: 'tool', value: 'TOOL', summary: 'of this tool' },
    { name: 'owner', value: 'OWNER', summary: 'of this owner' },
    { name: 'failure', value: 'REASON', summary: 'failed for this reason, such as TOOL_ERROR' },
    { name: 'deployment', value: 'VERSION', summary: 'run last by a worker of this version' },
    { name: 'since', value: 'TIME', summary: 'created then or later: 2h, 3d or 2026-01-31T12:00:00Z' },
    { name: 'before', value: 'TIME', summary: 'created earlier' },
    { name: 'query', value: 'FILTER', summary: 'the same in one word: "status=failed tool=charge since=2h"' },
];
/** Of what changes something. */
export const REASON_FLAG = { name: 'reason', value: 'TEXT', summary: 'why, for the audit log' };
export const YES_FLAG = { name: 'yes', summary: 'do not ask' };
/** Which code is meant, where that of the environment is not. */
export const FEATURES_FLAG = {
    name: 'features',
    value: 'MODULES',
    summary: 'modules of features, separated by commas, in place of LONGHAUL_FEATURES',
};
export const LIMIT_FLAG = { name: 'limit', value: 'COUNT', summary: 'print at most so many (50)' };
/** The filter of a command line, in the words of the API. @throws UserError for a time that is none */
export function filterOf(given, now = Date.now()) {
    const queried = queryOf(given.value('query'));
    const value = (name) => given.value(name) ?? queried[name];
    const members = {
        status: value('status'),
        tool: value('tool'),
        owner: value('owner'),
        reason: value('failure'),
        version: value('deployment'),
        createdFrom: timeOf('since', value('since'), now),
        createdBefore: timeOf('before', value('before'), now),
    };
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
/** The filter of an operation on many tasks, as the API takes it in a body. @throws UserError */
export function bulkFilterOf(given) {
    const { status, ...rest } = filterOf(given);
    return { ...rest, ...(status !== undefined && { status: status.split(',') }) };
}
const QUERY_PART = /([a-z]+)=(?:"([^"]*)"|(\S+))(?:\s+|$)/gy;
/** What a query says, by the names of flags; a flag beside it counts more. @throws UserError */
function queryOf(text) {
    const found = {};
    const query = text?.trim() ?? '';
    let end = 0;
    for (const [part, name = '', quoted, plain = ''] of query.matchAll(QUERY_PART)) {
        if (!QUERIED.includes(name))
            throw new UserError(`--query: what is ${JSON.stringify(name)}? It knows ${QUERIED.join(', ')}`, EXIT.usage);
        found[name] = quoted ?? plain;
        end += part.length;
    }
    if (end < query.length)
        throw new UserError(`--query: cannot read ${JSON.stringify(query.slice(end))}: must be NAME=VALUE`, EXIT.usage);
    return found;
}
const QUERIED = FILTER_FLAGS.map(({ name }) => name).filter((name) => name !== 'query');
const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Milliseconds of a duration such as `90s`. */
export function durationMs(text) {
    const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    const unitMs = UNITS_MS[unit];
    return count === undefined || unitMs === undefined ? undefined : Number(count) * unitMs;
}
/** The time that a flag names. @throws UserError for one that is none */
export function timeFlagOf(given, flag) {
    return timeOf(flag, given.value(flag), Date.now());
}
function timeOf(flag, text, now) {
    if (text === undefined)
        return undefined;
    const ago = durationMs(text);
    const at = ago === undefined ? Date.parse(text) : now - ago;
    if (Number.isNaN(at))
        throw new UserError(`--${flag} ${JSON.stringify(text)}: must be a duration such as 2h, or a time such as 2026-01-31T12:00:00Z`, EXIT.usage);
    return new Date(at).toISOString();
}
/** How many entries are to be printed. @throws UserError */
export function limitOf(given) {
    const text = given.value('limit') ?? '50';
    if (!/^[1-9]\d{0,5}$/.test(text))
        throw new UserError(`--limit ${JSON.stringify(text)}: must be a whole number from 1 to 999999`, EXIT.usage);
    return Number(text);
}
/** Why something is done. @throws UserError when it is not said */
export function reasonOf(given) {
    const reason = given.value('reason');
    if (reason === undefined || reason.trim() === '')
        throw new UserError('--reason is missing: why you do it, for the audit log', EXIT.usage);
    return reason;
}
//# sourceMappingURL=flags.js.map