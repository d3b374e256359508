import { userInfo } from 'node:os';
/** Who is at this machine, for the audit log. */
export function localName() {
    try {
        return `local:${userInfo().username}`;
    }
    catch {
        // A container may run as a user who has no name.
        return `local:${process.getuid?.() ?? 'unknown'}`;
    }
}
//# sourceMappingURL=local-name.js.map