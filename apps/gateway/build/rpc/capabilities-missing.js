/** The client lacks what a feature needs. Each generation of the protocol has a code of its own for that. */
export class CapabilitiesMissing extends Error {
    missing;
    name = 'CapabilitiesMissing';
    /** @param what the feature, as in `Tool echo` */
    constructor(what, missing) {
        super(`${what} needs capabilities that the client has not declared: ${missing.join(', ')}`);
        this.missing = missing;
    }
}
//# sourceMappingURL=capabilities-missing.js.map