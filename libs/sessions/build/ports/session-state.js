import { FIELD_LIMITS, TaskError, tooLong } from '@longhaul/tasks';
/** Unless the backend has another setting, values are kept this long after the first one, or from the last `keep` on. */
export const SESSION_STATE_TTL_MS = 24 * 3_600_000;
/** The JSON of a value. @throws TaskError `NOT_SERIALIZABLE` when it is too large */
export function valueText(value) {
    const json = JSON.stringify(value);
    const problem = tooLong('The JSON of a session value', json, FIELD_LIMITS.sessionValueBytes);
    if (problem !== undefined)
        throw new TaskError('NOT_SERIALIZABLE', `${problem}.`);
    return json;
}
/** All sessions of the account hold as many bytes as they may. */
export function accountFull(maxBytes) {
    const freed = 'end sessions, unsubscribe, or remove what they keep';
    return new TaskError('SESSION_FULL', `The sessions of one caller, or of one address, hold at most ${maxBytes} bytes of names and values: ${freed}.`);
}
/** The session holds as much as it may: as many values, or as many bytes. */
export function sessionFull(what) {
    const { sessionValues, sessionBytes } = FIELD_LIMITS;
    const limit = what === 'too-many' ? `${sessionValues} values` : `${sessionBytes} bytes of names and values`;
    return new TaskError('SESSION_FULL', `A session holds at most ${limit}.`);
}
//# sourceMappingURL=session-state.js.map