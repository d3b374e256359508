import { GENERATIONS } from './generation.js';
const OPTIONAL_TEXTS = ['sessionId', 'protocolVersion', 'progressToken'];
/**
 * Checks a reference that was stored outside the program.
 *
 * @throws TypeError that names the field
 */
export function parseReference(value) {
    if (typeof value !== 'object' || value === null)
        throw new TypeError('A task reference has to be an object.');
    const reference = value;
    for (const field of ['taskId', 'tool'])
        if (typeof reference[field] !== 'string' || reference[field] === '')
            throw new TypeError(`The task reference has no text in "${field}".`);
    if (!GENERATIONS.includes(reference['generation']))
        throw new TypeError(`"generation" of the task reference has to be one of ${GENERATIONS.join(', ')}.`);
    for (const field of OPTIONAL_TEXTS)
        if (reference[field] !== undefined && typeof reference[field] !== 'string')
            throw new TypeError(`"${field}" of the task reference has to be a text.`);
    return reference;
}
//# sourceMappingURL=task-reference.js.map