/** What operators do is recorded, also what failed: see `AuditLog`. */
import type { AuditAction, AuditWriter, JsonObject } from '@longhaul/tasks';
import { codeOf } from '../http/problems.js';
import type { Operator } from './door.js';

/** What somebody is about to do. */
export interface Act {
  readonly who: Operator;
  readonly action: AuditAction;
  readonly target: string;
  readonly reason: string;
  readonly details?: JsonObject;
}

/** Does something, and records how it went. @param found more details, which only the result has */
export type Audited = <T>(act: Act, work: () => Promise<T>, found?: (result: T) => JsonObject) => Promise<T>;

/** When something was done and cannot be recorded for now, the writer says so, and only the record of the task names the operator. */
export function createAudited(writer: Pick<AuditWriter, 'record' | 'flush'>): Audited {
  const record = ({ who, ...act }: Act, outcome: string): Promise<void> => {
    writer.record({ who: who.name, ...act, outcome });
    return writer.flush();
  };
  return async (act, work, found) => {
    try {
      const result = await work();
      await record(found === undefined ? act : { ...act, details: { ...act.details, ...found(result) } }, 'done');
      return result;
    } catch (error) {
      await record(act, codeOf(error));
      throw error;
    }
  };
}
