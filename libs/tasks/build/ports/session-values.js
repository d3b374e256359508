import { checkKey, FIELD_LIMITS } from '../field-limits.js';
/** The name that a feature gives to a value. @throws TaskError `INVALID_KEY` when it is too long */
export function checkedName(name) {
    checkKey('The name of a session value', name, FIELD_LIMITS.sessionValueNameBytes);
    return name;
}
//# sourceMappingURL=session-values.js.map