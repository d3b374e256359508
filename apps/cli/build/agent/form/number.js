import { isWithin, range } from './reading.js';
/** A number, or a whole number, perhaps with limits. */
export function number({ type, minimum, maximum, }) {
    const hint = `a ${type === 'integer' ? 'whole ' : ''}number ${range(minimum, maximum)}`.trim();
    return {
        hint,
        read(given) {
            const value = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(given) ? Number(given) : NaN;
            const fits = Number.isFinite(value) && (type === 'number' || Number.isSafeInteger(value)) && isWithin(value, minimum, maximum);
            return fits ? { value } : { problem: `It has to be ${hint}.` };
        },
    };
}
const YES = new Set(['yes', 'y', 'true']);
const NO = new Set(['no', 'n', 'false']);
/** Yes or no. */
export function truth() {
    return {
        hint: 'yes or no',
        read(given) {
            const word = given.toLowerCase();
            return YES.has(word) || NO.has(word) ? { value: YES.has(word) } : { problem: 'It has to be yes or no.' };
        },
    };
}
//# sourceMappingURL=number.js.map