/** Defines the operation that runs another tool. */
import type { JsonObject } from '../domain/json.js';
import { askCall, callOf } from './calls.js';
import type { ContextOperations } from './context-operation.js';
import type { Call, CallOptions } from './task-context.js';

/** Its entry. */
export const CHILD_OPERATIONS = {
  call: {
    key: '$call',
    isDrawn: false,
    make: ({ run, operation, children }) =>
      ((tool: string, args?: JsonObject, options?: CallOptions) =>
        operation(callOf(tool), async () => askCall(run, children, tool, args, options))) as Call,
  },
} as const satisfies ContextOperations<'call'>;
