/**
 * What to assume of an endpoint that has refused a body, so that the next body has not in it what was refused.
 *
 * @returns undefined when that would change nothing, so that a request ends after as many attempts as there are things to leave out
 */
export function wayAround(obstacle, body, { facts, isAuto }) {
    switch (obstacle) {
        case 'tool-parser':
            return 'tools' in body && !('tool_choice' in body) ? { lacksToolParser: true } : undefined;
        case 'tools':
            return 'tools' in body && isAuto && facts.mode !== 'textual' ? { mode: 'textual' } : undefined;
        case 'schema':
            return without('response_format', body, facts);
        default:
            return without(obstacle, body, facts);
    }
}
function without(member, body, { refuses = [] }) {
    return member in body && !refuses.includes(member) ? { refuses: [...refuses, member] } : undefined;
}
//# sourceMappingURL=way-around.js.map