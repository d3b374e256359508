/** Functions of the process that give another value each time, or do something each time. */
import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
const STEP = 'do it in context.step';
const NOW = 'use context.now(), which is recorded';
const UUID = 'use context.randomUUID(), which is recorded';
const SLEEP = 'use context.sleep, which is recorded';
const GUARDED = [
    { owner: Math, name: 'random', used: 'Math.random()', remedy: STEP },
    { owner: Date, name: 'now', used: 'Date.now()', remedy: NOW, isOfLibraries: true },
    { owner: globalThis, name: 'Date', used: 'new Date()', remedy: NOW, isOfLibraries: true },
    { owner: performance, name: 'now', used: 'performance.now()', remedy: NOW, isOfLibraries: true },
    { owner: crypto, name: 'randomUUID', used: 'crypto.randomUUID()', remedy: UUID },
    { owner: nodeCrypto, name: 'randomUUID', used: 'randomUUID()', remedy: UUID },
    { owner: globalThis, name: 'fetch', used: 'fetch()', remedy: STEP },
    { owner: globalThis, name: 'setTimeout', used: 'setTimeout()', remedy: SLEEP, isOfLibraries: true, isIdle: isUnref },
    { owner: globalThis, name: 'setInterval', used: 'setInterval()', remedy: SLEEP, isOfLibraries: true, isIdle: isUnref },
    { owner: timersPromises, name: 'setTimeout', used: 'setTimeout()', remedy: SLEEP },
];
let wraps = 0;
let restore = [];
/** Wraps all of them, unless they are wrapped already. @param leave does what a caller has asked for. @returns undoes that, once */
export function wrapGuarded(leave) {
    wraps += 1;
    if (wraps === 1) {
        restore = GUARDED.map((guarded) => wrap(guarded, leave));
        syncBuiltinESMExports();
    }
    let isUndone = false;
    return () => {
        if (isUndone)
            return;
        isUndone = true;
        wraps -= 1;
        if (wraps > 0)
            return;
        for (const undo of restore)
            undo();
        syncBuiltinESMExports();
    };
}
function wrap(guarded, leave) {
    const { owner, name } = guarded;
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const original = Reflect.get(owner, name);
    const wrapped = name === 'Date' ? wrappedDate(guarded, leave) : wrappedFunction(guarded, original, leave);
    Object.defineProperty(owner, name, { value: wrapped, writable: true, configurable: true, enumerable: before?.enumerable ?? true });
    return () => {
        // Somebody else may have replaced it meanwhile, such as a library with a clock of its own.
        if (Reflect.get(owner, name) !== wrapped)
            return;
        if (before === undefined)
            Reflect.deleteProperty(owner, name);
        else
            Object.defineProperty(owner, name, before);
        if (name === 'Date')
            Reflect.set(Date.prototype, 'constructor', Date);
    };
}
function wrappedFunction(guarded, original, leave) {
    const wrapped = function (...args) {
        return leave(guarded, wrapped, () => Reflect.apply(original, this, args));
    };
    return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
}
function wrappedDate(guarded, leave) {
    const construct = (target, args, newTarget) => {
        const make = () => Reflect.construct(target, args, newTarget);
        return args.length === 0 ? leave(guarded, construct, make) : make();
    };
    const apply = (target, self, args) => leave(guarded, apply, () => Reflect.apply(target, self, args));
    const wrapped = new Proxy(Date, { construct, apply });
    Reflect.set(Date.prototype, 'constructor', wrapped);
    return wrapped;
}
/** A limit of something else, as of a signal: a timer that a workflow waits for holds its process. Timers of others may be numbers. */
function isUnref(timer) {
    return timer.hasRef?.() === false;
}
//# sourceMappingURL=guarded-functions.js.map