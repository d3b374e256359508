import { isCallToolResult } from '@modelcontextprotocol/client';
import { ProtocolViolationError } from '../errors.js';
/** @throws ProtocolViolationError */
export function toolResult(value) {
    if (isCallToolResult(value))
        return value;
    throw new ProtocolViolationError('What the server sent is no result of a tool call.');
}
//# sourceMappingURL=task-snapshot.js.map