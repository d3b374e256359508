/** Defines the check of answers against their schemas, and its result. */
import type { Json, JsonObject } from '@longhaul/tasks';
import { compiledSchema } from '@longhaul/servers/schema-check';

/** Whether a schema can be used, and whether a value fits it. */
export interface SchemaQuestion {
  readonly schema: JsonObject;
  /** Absent: only the schema is asked about. */
  readonly value?: Json;
}

/** Nothing where the schema can be used and the value fits. */
export interface SchemaAnswer {
  /** Why nothing can be checked against the schema. */
  readonly unusable?: string;
  /** The parts of the value that do not fit, or the reason why that cannot be found out. */
  readonly problem?: string;
}

/** Answers at once. The author of the schema determines its time and memory: see `checkInProcess`. */
export function answerSchemaQuestion({ schema, value }: SchemaQuestion): SchemaAnswer {
  const { check, mistake = 'it takes too long, or is in a dialect that is not known' } = compiledSchema(schema);
  if (check === undefined) return { unusable: mistake };
  if (value === undefined) return {};
  try {
    const problem = check(value);
    return problem === undefined ? {} : { problem };
  } catch {
    return { problem: 'it cannot be checked: that takes too long' };
  }
}
