import { taskTimesOf } from '@longhaul/mcp-features';
import { ANONYMOUS_OWNER } from '@longhaul/sessions';
import { declarationOf, FIELD_LIMITS, missingCapabilities, tooLong } from '@longhaul/tasks';
import { Refused } from '../http/problems.js';
/**
 * The task that an operator starts of a tool. Its client is the operator: it can be asked by forms, and for nothing else.
 *
 * @throws Refused 422 for arguments that do not fit the tool; 409 for a tool that needs what an operator is not
 */
export function taskOfOperator(tool, { who, arguments: args, owner }, terms) {
    const { name } = tool;
    const capabilities = declarationOf(terms.answersAllowed ? ['elicitation.form'] : []);
    const missing = missingCapabilities(tool.needs, capabilities);
    const needs = [
        ...missing.map((capability) => `the capability ${capability} of its client`),
        ...(tool.needsSession ? ['the session of a client'] : []),
        ...(tool.prepare === undefined ? [] : ['a client that completes its arguments']),
    ];
    if (needs.length > 0)
        throw new Refused(409, 'NEEDS_CLIENT', `Tool ${name} needs ${needs.join(' and ')}: only a client can start it.`);
    const checked = tool.check(args);
    const problem = checked.ok ? tooLong('Their JSON', JSON.stringify(args), FIELD_LIMITS.preparedArgumentsBytes) : checked.message;
    if (problem !== undefined)
        throw new Refused(422, 'INVALID_ARGUMENTS', `The arguments do not fit tool ${name}: ${problem}`, [
            { field: 'arguments', message: problem },
        ]);
    const startedBy = `operator:${who.name}`;
    const ownId = owner ?? startedBy;
    return {
        tool: name,
        arguments: args,
        owner: ownId,
        ...(tool.scopes.length > 0 && { scopes: tool.scopes }),
        // Nobody knows who that is, so nothing is kept for it.
        ...(ownId !== ANONYMOUS_OWNER && { recordOwner: { id: ownId } }),
        client: { generation: '2026-07-28', protocolVersion: '2026-07-28', name: startedBy, capabilities },
        ...taskTimesOf(tool, undefined, terms.maxTtlMs),
        startedBy,
    };
}
//# sourceMappingURL=task-of-operator.js.map