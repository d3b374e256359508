/** Records the actions of operators, including failed ones: see `AuditLog`. */
import type { AuditAction, AuditWriter, JsonObject } from '@longhaul/tasks';
import { codeOf } from '../http/problems.js';
import type { Operator } from './door.js';

/** An action that is about to happen. */
export interface Act {
  readonly who: Operator;
  readonly action: AuditAction;
  readonly target: string;
  readonly reason: string;
  readonly details?: JsonObject;
}

/** Runs an action, and records its result. @param found further details, which only the result has */
export type Audited = <T>(act: Act, work: () => Promise<T>, found?: (result: T) => JsonObject) => Promise<T>;

/** If an action cannot be recorded for now, the writer reports it, and only the record of the task names the operator. */
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
