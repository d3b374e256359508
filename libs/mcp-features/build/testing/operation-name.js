const OWN = {
    $now: 'context.now()',
    $uuid: 'context.randomUUID()',
    $session: 'context.session',
    $elicit: 'context.elicit',
    $sample: 'context.sample',
    $roots: 'context.listRoots',
    $ping: 'context.ping',
};
/** What an operation is called in a message to the author, as in `step "charge"`, by its key: `context.now() (use 2)` for `$now:2`. */
export function operationName(kind, key) {
    const [, name = key, use] = /^(.*?)(?::(\d+))?$/s.exec(key) ?? [];
    const own = OWN[name];
    if (own === undefined)
        return `${kind} "${key}"`;
    return use === undefined ? own : `${own} (use ${use})`;
}
//# sourceMappingURL=operation-name.js.map