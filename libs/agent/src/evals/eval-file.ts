/** Reads a file of evals: what an agent is asked, how its user answers, and how its answers are checked. */
import { withoutByteOrderMark } from '@longhaul/runtime/byte-order-mark';
import { ConfigError } from '@longhaul/runtime/environment';
import { linearPattern } from '@longhaul/runtime/linear-pattern';
import type { Json, JsonObject } from '@longhaul/tasks';
import { z } from 'zod';
import { requireBoundedSchema } from '../durable/schema-bounds.js';
import { callSampling } from '../model/sampling.js';

const MAX_CASES = 1_000;
const MAX_REPEATS = 100;
const MAX_AT_ONCE = 32;
const MAX_TEXT = 65_536;

const text = z.string().min(1).max(MAX_TEXT);
const json = z.json() as z.ZodType<Json>;
const object = z.record(z.string(), json) as unknown as z.ZodType<JsonObject>;
const not = z.literal(true).optional();
const pattern = text.superRefine((given, check) => {
  try {
    linearPattern(given);
  } catch (error) {
    check.addIssue((error as Error).message);
  }
});
const schema = object.superRefine((given, check) => {
  try {
    requireBoundedSchema('the schema', given);
  } catch (error) {
    check.addIssue((error as Error).message);
  }
});

/** The members of a check, of which each has one, and what may stand beside it. */
const CHECKS = {
  contains: z.strictObject({ contains: text, not }),
  equals: z.strictObject({ equals: z.string().max(MAX_TEXT), not }),
  matches: z.strictObject({ matches: pattern, not }),
  json: z.strictObject({ json, not }),
  fits: z.strictObject({ fits: schema, not }),
  calls: z.strictObject({ calls: text, arguments: object.optional(), times: z.int().min(1).max(1_000).optional(), not }),
  outcome: z.strictObject({ outcome: text }),
  judge: z.strictObject({ judge: text, model: text.optional() }),
} as const;

const check = z.unknown().transform((given, context) => {
  const kinds = Object.keys(CHECKS) as (keyof typeof CHECKS)[];
  const named = typeof given === 'object' && given !== null ? kinds.filter((kind) => Object.hasOwn(given, kind)) : [];
  const [kind] = named;
  if (kind === undefined || named.length > 1) {
    context.addIssue(`must have one of ${kinds.join(', ')}`);
    return z.NEVER;
  }
  const parsed = CHECKS[kind].safeParse(given);
  if (parsed.success) return { kind, ...parsed.data } as EvalCheck;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

/** A check of an answer. */
export type EvalCheck = { [Kind in keyof typeof CHECKS]: { readonly kind: Kind } & z.output<(typeof CHECKS)[Kind]> }[keyof typeof CHECKS];

const rule = z.strictObject({ asks: text.optional(), answer: z.union([z.literal('decline'), z.literal('cancel'), object]) });

/** What the scripted user answers to a question with this text. Without a text: to each. */
export type UserRule = z.output<typeof rule>;

const options = {
  agent: text.optional(),
  model: text.optional(),
  servers: z.array(text).optional(),
  maxRounds: z.int().min(1).max(1_000).optional(),
  sampling: callSampling.strict().optional(),
  outputSchema: schema.optional(),
  user: z.array(rule).max(100).optional(),
  repeat: z.int().min(1).max(MAX_REPEATS).optional(),
};
const evalCase = z.strictObject({ name: text.max(256), prompt: text, checks: z.array(check).min(1).max(100), ...options });
const file = z.strictObject({
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  agents: z.record(z.string(), z.unknown()).optional(),
  atOnce: z.int().min(1).max(MAX_AT_ONCE).default(4),
  defaults: z.strictObject(options).default({}),
  cases: z.array(evalCase).min(1).max(MAX_CASES),
});

/** One case. */
export type EvalCase = z.output<typeof evalCase>;

/** What a file says. */
export type EvalFile = Omit<z.output<typeof file>, 'defaults'>;

/** @param from where the text comes from, for messages @throws ConfigError with a line for each mistake, which names the field */
export function parseEvals(content: string, from: string): EvalFile {
  let given: unknown;
  try {
    given = JSON.parse(withoutByteOrderMark(content));
  } catch (error) {
    throw new ConfigError(`${from}: must be JSON (${(error as Error).message})`);
  }
  const parsed = file.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(
      parsed.error.issues
        .map(({ path, message }) => `${from}: ${[path.join('.'), message].filter((part) => part !== '').join(': ')}`)
        .join('\n'),
    );
  const { defaults, ...rest } = parsed.data;
  const names = rest.cases.map(({ name }) => name);
  const double = names.find((name, at) => names.indexOf(name) !== at);
  if (double !== undefined) throw new ConfigError(`${from}: two cases are named "${double}"`);
  return { ...rest, cases: rest.cases.map((each): EvalCase => Object.assign({}, defaults, each)) };
}
