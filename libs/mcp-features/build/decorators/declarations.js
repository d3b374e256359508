import { standsFor } from '../feature-code.js';
const declaredBy = new WeakMap();
/**
 * A decorator that declares something of its method.
 *
 * @throws TypeError for anything but a method of the instance, and under a compiler's legacy decorators
 */
export function declaring(decorator, declarationFor) {
    return (method, context) => {
        checkPlace(decorator, context);
        const { name } = context;
        const declare = declarationFor(name);
        const key = context.private ? method : name;
        context.addInitializer(function () {
            const call = (...parameters) => Reflect.apply(methodOf(this, context), this, parameters);
            add(this, key, method, { ...declare(standsFor(call, method)), method: String(name) });
        });
    };
}
/**
 * The method as the instance has it now. Compilers differ in what `access` is for: those of an earlier state of the standard
 * want the instance as `this`, and see no override of a public method.
 */
function methodOf(instance, { name, private: isPrivate, access }) {
    return isPrivate ? access.get.call(instance, instance) : Reflect.get(instance, name);
}
/** What the decorators of the instance's class say, in the order in which it is written. */
export function declarationsOf(instance) {
    return [...(declaredBy.get(instance)?.values() ?? [])].flatMap(({ declarations }) => declarations);
}
function add(instance, key, method, declaration) {
    const declared = declaredBy.get(instance) ?? new Map();
    declaredBy.set(instance, declared);
    const before = declared.get(key);
    // Of several decorators on one method, the lowest comes first.
    if (before?.method === method)
        before.declarations.unshift(declaration);
    else
        declared.set(key, { method, declarations: [declaration] });
}
function checkPlace(decorator, context) {
    if (typeof context !== 'object' || context === null || !('kind' in context))
        throw new TypeError(`@${decorator} is a standard decorator: compile without "experimentalDecorators".`);
    const { kind, name, static: isStatic } = context;
    if (kind !== 'method' || isStatic === true)
        throw new TypeError(`@${decorator} is for methods of the instance, which "${String(name)}" is not.`);
}
//# sourceMappingURL=declarations.js.map