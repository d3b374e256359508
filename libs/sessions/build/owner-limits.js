/** A limit that is none: the largest number that every store takes. */
const NONE = Number.MAX_SAFE_INTEGER;
/** A limit of a tenant if there is one, otherwise that of all. */
export function limitOr(ofTenant, ofAll) {
    return ofTenant === undefined ? ofAll : (ofTenant ?? NONE);
}
/** @param configured what holds where nothing is said of a tenant. @returns what an owner may have now */
export function ownerLimitsOf(configured, tenants) {
    const known = new WeakMap();
    return (owner) => {
        const settings = tenants.ofOwner(owner);
        const limits = known.get(settings) ?? {
            concurrentTasks: limitOr(settings.unfinishedTasks, configured.concurrentTasks),
            tasksPerMinute: limitOr(settings.tasksPerMinute, configured.tasksPerMinute),
            historyBytes: limitOr(settings.historyBytes, configured.historyBytes),
        };
        known.set(settings, limits);
        return limits;
    };
}
/** @param configured bytes, where nothing is said of a tenant. @returns what the histories of an owner's tasks may take now */
export function ownerBytesOf(configured, tenants) {
    return (owner) => limitOr(tenants.ofOwner(owner).historyBytes, configured);
}
//# sourceMappingURL=owner-limits.js.map