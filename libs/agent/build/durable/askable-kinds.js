import { hasCapability } from '@longhaul/mcp-features';
/** What the client of a task can be asked for servers. */
export function askableKinds({ capabilities }) {
    const kinds = { elicitation: 'elicitation.form', sampling: 'sampling', roots: 'roots' };
    return Object.keys(kinds).filter((kind) => hasCapability(capabilities, kinds[kind]));
}
//# sourceMappingURL=askable-kinds.js.map