import { isWithin, range } from './reading.js';
const FORMATS = new Map([
    ['email', { hint: 'an e-mail address', accepts: (given) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(given) }],
    ['uri', { hint: 'a URI, such as https://example.com', accepts: (given) => URL.canParse(given) }],
    ['date', { hint: 'a date, such as 2026-01-31', accepts: isDate }],
    ['date-time', { hint: 'a date with time, such as 2026-01-31T12:00:00Z', accepts: isDateTime }],
]);
/** A text, perhaps of a length and in a format. */
export function text({ minLength, maxLength, format }) {
    const { hint, accepts } = FORMATS.get(format ?? '') ?? { hint: 'a text', accepts: () => true };
    const length = range(minLength, maxLength);
    return {
        hint: length === '' ? hint : `${hint} of ${length} characters`,
        read(given) {
            if (!accepts(given))
                return { problem: `It has to be ${hint}.` };
            const characters = Array.from(given).length;
            if (isWithin(characters, minLength, maxLength))
                return { value: given };
            return { problem: `It has ${characters} characters; it has to have ${length}.` };
        },
    };
}
/** A day that the calendar has: JavaScript takes 30 February for 1 March. */
function isDate(given) {
    const time = Date.parse(`${given}T00:00:00Z`);
    return /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(given);
}
function isDateTime(given) {
    return (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(given) &&
        isDate(given.slice(0, 10)) &&
        !Number.isNaN(Date.parse(given)));
}
//# sourceMappingURL=text.js.map