import { valueText } from '../ports/session-state.js';
/** What is kept of a value. @param account whose key encrypts it. @throws TaskError `NOT_SERIALIZABLE` when it is too large */
export async function keptValue(codec, value, { session, name, account }) {
    const json = valueText(value);
    const seal = await codec.sealFor(account);
    return seal(json, placeOf({ session, name }));
}
/** The value that was kept. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE` */
export async function valueFrom(codec, text, of) {
    return JSON.parse(await codec.open(text, placeOf(of)));
}
function placeOf({ session, name }) {
    return { kind: 'session', id: session, field: name };
}
//# sourceMappingURL=session-value.js.map