/**
 * The code of features, as far as it distinguishes versions of a deployment: the text of the functions that their
 * author wrote. What these call is not seen.
 */
import { createHash } from 'node:crypto';
/** What holds the functions of an author in the definition of a feature. */
const NAMES = ['complete', 'list', 'prepare', 'read', 'run'];
const codes = new WeakMap();
const originals = new WeakMap();
/** Says that a function only calls another one, whose text counts. */
export function standsFor(wrapper, original) {
    originals.set(wrapper, original);
    return wrapper;
}
/** Remembers the functions that a feature was made of. */
export function madeOf(feature, spec) {
    codes.set(feature, NAMES.map((name) => `${name}:${textOf(Reflect.get(spec, name))}`).join('\n'));
    return feature;
}
/** Differs when what is listed of the features differs, or the code that they were made of. Twelve hexadecimal digits. */
export function fingerprintOf(features) {
    const hash = createHash('sha256');
    for (const feature of features)
        hash.update(JSON.stringify([feature.kind, feature.name, 'listing' in feature && feature.listing, codes.get(feature)]));
    return hash.digest('hex').slice(0, 12);
}
function textOf(value) {
    if (typeof value === 'function')
        return Function.prototype.toString.call(originals.get(value) ?? value);
    if (typeof value !== 'object' || value === null)
        return '';
    return Object.entries(value)
        .map(([name, inner]) => `${name}:${textOf(inner)}`)
        .join('\n');
}
//# sourceMappingURL=feature-code.js.map