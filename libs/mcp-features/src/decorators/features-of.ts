import type { Feature } from '../feature.js';
import { type Additions, declarationsOf, type NamedDeclaration, type Target } from './declarations.js';

type Addition = Exclude<NamedDeclaration, { kind: 'feature' }>;

/**
 * The features that the decorators of an instance's class declare, bound to the instance, in the order in which its methods
 * are written.
 *
 * @throws TypeError when it declares no feature, and when a method completes or lists something that is missing or that another method
 * covers
 */
export function featuresOf(instance: object): Feature[] {
  if (typeof instance === 'function') throw new TypeError(`featuresOf takes an instance: new ${instance.name}(…), not the class.`);
  const owner = instance.constructor.name;
  const declarations = declarationsOf(instance);
  if (declarations.length === 0) throw new TypeError(`No method of ${owner} has a decorator that makes a feature of it.`);
  const features = declarations.filter((declaration) => declaration.kind === 'feature');
  const additions = declarations.filter((declaration) => declaration.kind !== 'feature');
  const targets = new Map(features.flatMap(({ target }) => (target === undefined ? [] : [[target.label, target] as const])));
  const taken = new Set<string>();
  for (const addition of additions) {
    checkAddition(addition, owner, targets);
    const key = addition.kind === 'list' ? addition.of : JSON.stringify([addition.of, addition.argument]);
    if (taken.has(key)) throw new TypeError(`${describe(addition, owner)}, which another method does already.`);
    taken.add(key);
  }
  return features.map(({ target, define }) => define(additionsTo(target, additions)));
}

function checkAddition(addition: Addition, owner: string, targets: ReadonlyMap<string, Target>): void {
  const target = targets.get(addition.of);
  if (target === undefined)
    throw new TypeError(`${describe(addition, owner)}, which ${owner} does not have${whatIsThere([...targets.keys()])}.`);
  if (addition.kind === 'completion' && !target.arguments.includes(addition.argument))
    throw new TypeError(`${describe(addition, owner)}, which does not have it${whatIsThere(target.arguments.map((name) => `"${name}"`))}.`);
}

function additionsTo(target: Target | undefined, additions: readonly Addition[]): Additions {
  const own = additions.filter(({ of }) => of === target?.label);
  return {
    completers: Object.fromEntries(own.flatMap((one) => (one.kind === 'completion' ? [[one.argument, one.complete]] : []))),
    list: own.find((one) => one.kind === 'list')?.list,
  };
}

function describe(addition: Addition, owner: string): string {
  const what = addition.kind === 'list' ? 'lists' : `completes "${addition.argument}" of`;
  return `${owner}.${addition.method} ${what} ${addition.of}`;
}

function whatIsThere(names: readonly string[]): string {
  return names.length === 0 ? '' : `; it has ${names.join(', ')}`;
}
