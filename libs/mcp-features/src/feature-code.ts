/**
 * Collects the code of features that distinguishes versions of a deployment: the text of the functions that their author wrote. Functions
 * that these call are not included.
 */
import { createHash } from 'node:crypto';

/** The identity of a feature; if it can be listed, with its listing. */
interface NamedFeature {
  readonly kind: string;
  readonly name: string;
}

/** The members of a feature's definition that hold the author's functions. */
const NAMES = ['complete', 'list', 'prepare', 'read', 'run'] as const;

const codes = new WeakMap<object, string>();
const originals = new WeakMap<object, unknown>();

/** Marks a function that only calls another one. The text of the other one counts. */
export function standsFor<F extends object>(wrapper: F, original: object): F {
  originals.set(wrapper, original);
  return wrapper;
}

/** Remembers the functions that a feature was made of. */
export function madeOf<F extends NamedFeature>(feature: F, spec: object): F {
  codes.set(feature, NAMES.map((name) => `${name}:${textOf(Reflect.get(spec, name))}`).join('\n'));
  return feature;
}

/** Differs when what is listed of the features differs, or the code that they were made of. Twelve hexadecimal digits. */
export function fingerprintOf(features: readonly NamedFeature[]): string {
  const hash = createHash('sha256');
  for (const feature of features)
    hash.update(JSON.stringify([feature.kind, feature.name, 'listing' in feature && feature.listing, codes.get(feature)]));
  return hash.digest('hex').slice(0, 12);
}

function textOf(value: unknown): string {
  if (typeof value === 'function') return Function.prototype.toString.call(originals.get(value) ?? value);
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, inner]) => `${name}:${textOf(inner)}`)
    .join('\n');
}
