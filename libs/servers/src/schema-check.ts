/**
 * Checks values against the JSON Schemas of servers and callers. These schemas are not trusted. Patterns run in linear time. References or
 * `uniqueItems` may take very long, so a check is stopped after a second. Formats are not looked at, as 2020-12 has it.
 */
import { createContext, Script } from 'node:vm';
import { Ajv, type AnySchemaObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { linearPattern } from '@longhaul/runtime/linear-pattern';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';

const MAX_PROBLEM_BYTES = 2_048;
const MAX_CHECKS = 256;
const MAX_CHECK_MS = 1_000;

const OPTIONS: Options = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  allErrors: true,
  // Every object inherits a `constructor`, which its JSON does not have.
  ownProperties: true,
  logger: false,
  // A large schema that is referred to a thousand times would be a thousand times as large.
  inlineRefs: false,
  code: { regExp: Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' }) },
};

/** Says what of a value does not fit; nothing when it fits. */
type SchemaCheck = (value: unknown) => string | undefined;

/** The result of compiling a schema. */
interface Compiled {
  /** Absent where the schema is one that cannot be checked. */
  readonly check?: SchemaCheck;
  /** Why it is no schema. */
  readonly mistake?: string;
}

/** By the JSON of their schemas: a task lists its tools again in each pass. */
const checks = new Map<string, Compiled>();

/** The parts of a value that do not fit a schema. Nothing if the schema cannot be checked: its server checks then. */
export function schemaProblem(schema: object, value: unknown): string | undefined {
  const key = JSON.stringify(schema);
  try {
    return compiledOf(schema, key).check?.(value);
  } catch {
    checks.set(key, {});
    return undefined;
  }
}

/** Why a schema is invalid, such as an unknown type or a reference to nowhere. Nothing for a schema in an unknown dialect. */
export function schemaMistake(schema: object): string | undefined {
  return compiledOf(schema, JSON.stringify(schema)).mistake;
}

function compiledOf(schema: AnySchemaObject, key: string): Compiled {
  const known = checks.get(key);
  if (known !== undefined) return known;
  const compiled = compiledSchema(schema);
  if (checks.size >= MAX_CHECKS) checks.clear();
  checks.set(key, compiled);
  return compiled;
}

/** Compiles a schema, at once. */
export function compiledSchema(schema: AnySchemaObject): Compiled {
  // One of its own for each schema: it would take two with the same `$id` for the same.
  const engine = engineFor(schema.$schema);
  if (engine === undefined) return {};
  try {
    const validate = inTime(() => engine.compile(schema));
    // With `$async`, which is Ajv's own, a check is a promise that rejects, and it would not be awaited.
    if ('$async' in validate) return {};
    return {
      check: (value) => {
        const fits = inTime(() => validate(value));
        return fits ? undefined : cutWithNote(engine.errorsText(validate.errors), MAX_PROBLEM_BYTES);
      },
    };
  } catch (error) {
    const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    return isLate ? {} : { mistake: cutWithNote((error as Error).message, MAX_PROBLEM_BYTES) };
  }
}

function engineFor(dialect: unknown): Ajv | undefined {
  if (typeof dialect !== 'string' || dialect.includes('/draft/2020-12/')) return new Ajv2020(OPTIONS);
  if (dialect.includes('/draft/2019-09/')) return new Ajv2019(OPTIONS);
  return /\/draft-0[67]\//.test(dialect) ? new Ajv(OPTIONS) : undefined;
}

const timed = createContext({ run: undefined as unknown });
const script = new Script('run()');

/** @throws Error when it takes too long */
function inTime<T>(run: () => T): T {
  timed['run'] = run;
  return script.runInContext(timed, { timeout: MAX_CHECK_MS }) as T;
}
