import { declarationsOf } from './declarations.js';
/**
 * The features that the decorators of an instance's class declare, bound to the instance, in the order in which its methods
 * are written.
 *
 * @throws TypeError when it declares none, and when a method completes or lists what is not there or what another one does
 */
export function featuresOf(instance) {
    if (typeof instance === 'function')
        throw new TypeError(`featuresOf takes an instance: new ${instance.name}(…), not the class.`);
    const owner = instance.constructor.name;
    const declarations = declarationsOf(instance);
    if (declarations.length === 0)
        throw new TypeError(`No method of ${owner} has a decorator that makes a feature of it.`);
    const features = declarations.filter((declaration) => declaration.kind === 'feature');
    const additions = declarations.filter((declaration) => declaration.kind !== 'feature');
    const targets = new Map(features.flatMap(({ target }) => (target === undefined ? [] : [[target.label, target]])));
    const taken = new Set();
    for (const addition of additions) {
        checkAddition(addition, owner, targets);
        const key = addition.kind === 'list' ? addition.of : JSON.stringify([addition.of, addition.argument]);
        if (taken.has(key))
            throw new TypeError(`${describe(addition, owner)}, which another method does already.`);
        taken.add(key);
    }
    return features.map(({ target, define }) => define(additionsTo(target, additions)));
}
function checkAddition(addition, owner, targets) {
    const target = targets.get(addition.of);
    if (target === undefined)
        throw new TypeError(`${describe(addition, owner)}, which ${owner} does not have${whatIsThere([...targets.keys()])}.`);
    if (addition.kind === 'completion' && !target.arguments.includes(addition.argument))
        throw new TypeError(`${describe(addition, owner)}, which does not have it${whatIsThere(target.arguments.map((name) => `"${name}"`))}.`);
}
function additionsTo(target, additions) {
    const own = additions.filter(({ of }) => of === target?.label);
    return {
        completers: Object.fromEntries(own.flatMap((one) => (one.kind === 'completion' ? [[one.argument, one.complete]] : []))),
        list: own.find((one) => one.kind === 'list')?.list,
    };
}
function describe(addition, owner) {
    const what = addition.kind === 'list' ? 'lists' : `completes "${addition.argument}" of`;
    return `${owner}.${addition.method} ${what} ${addition.of}`;
}
function whatIsThere(names) {
    return names.length === 0 ? '' : `; it has ${names.join(', ')}`;
}
//# sourceMappingURL=features-of.js.map