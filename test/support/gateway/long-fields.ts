/** Makes requests with a field one byte over its limit: every field with its own limit, for the methods of both protocol versions. */
import {
  createFeatureRegistry,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type FeatureRegistry,
} from '@longhaul/mcp-features';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { z } from 'zod';

/** A server with something of every kind. */
export const everyKind: FeatureRegistry = createFeatureRegistry([
  defineTool({ name: 'plain', description: 'Answers', input: z.object({}), run: () => 'done' }),
  defineTool({ name: 'later', description: 'Is a task', input: z.object({}), task: 'optional', run: () => Promise.resolve('done') }),
  definePrompt({
    name: 'greeting',
    description: 'Greets',
    arguments: z.object({ who: z.string() }),
    complete: { who: () => ['Ann'] },
    run: () => 'hi',
  }),
  defineResource({ uri: 'test://text', name: 'text', read: () => 'text' }),
  defineResourceTemplate({ uriTemplate: 'any://{+a}-{+b}!', name: 'any', read: () => 'any' }),
]);

/** A request with a field one byte longer than allowed. */
export interface LongField {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** As the error names it. */
  readonly field: string;
  readonly maxBytes: number;
}

/** A text of one byte more than so many. It would be seen in an error that repeats it. */
const over = (maxBytes: number, start = ''): string => start + 'é'.repeat(8) + 'x'.repeat(maxBytes + 1 - 16 - start.length);

const { nameBytes, uriBytes, cursorBytes, idBytes, progressTokenBytes, idempotencyKeyBytes } = FIELD_LIMITS;

const withMeta = (method: string, params: object, name: string, value: unknown, field: string, maxBytes: number): LongField => ({
  method,
  params: { ...params, _meta: { [name]: value } },
  field: `params._meta${field}`,
  maxBytes,
});

/** The metadata that each request of this kind may have. */
const inMeta = (method: string, params: object): LongField[] => [
  withMeta(method, params, 'progressToken', over(progressTokenBytes), '.progressToken', progressTokenBytes),
  withMeta(method, params, 'longhaul/idempotencyKey', over(idempotencyKeyBytes), '["longhaul/idempotencyKey"]', idempotencyKeyBytes),
  withMeta(
    method,
    params,
    'io.modelcontextprotocol/related-task',
    { taskId: over(idBytes) },
    '["io.modelcontextprotocol/related-task"].taskId',
    idBytes,
  ),
];

const completion = (ref: object, more: object = {}): Readonly<Record<string, unknown>> => ({
  ref,
  argument: { name: 'who', value: 'A' },
  ...more,
});
const greeting = { type: 'ref/prompt', name: 'greeting' };

/** The fields of both protocol versions. */
export const LONG_FIELDS: readonly LongField[] = [
  ...inMeta('tools/call', { name: 'later' }),
  ...inMeta('prompts/get', { name: 'greeting' }),
  ...inMeta('resources/read', { uri: 'test://text' }),
  ...inMeta('tools/list', {}),
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map((method) => ({
    method,
    params: { cursor: over(cursorBytes) },
    field: 'params.cursor',
    maxBytes: cursorBytes,
  })),
  ...['tools/call', 'prompts/get'].map((method) => ({
    method,
    params: { name: over(nameBytes) },
    field: 'params.name',
    maxBytes: nameBytes,
  })),
  { method: 'resources/read', params: { uri: over(uriBytes, 'any://') }, field: 'params.uri', maxBytes: uriBytes },
  ...['tasks/get', 'tasks/cancel'].map((method) => ({
    method,
    params: { taskId: over(idBytes) },
    field: 'params.taskId',
    maxBytes: idBytes,
  })),
  {
    method: 'completion/complete',
    params: completion({ type: 'ref/prompt', name: over(nameBytes) }),
    field: 'params.ref.name',
    maxBytes: nameBytes,
  },
  {
    method: 'completion/complete',
    params: completion({ type: 'ref/resource', uri: over(uriBytes) }),
    field: 'params.ref.uri',
    maxBytes: uriBytes,
  },
  {
    method: 'completion/complete',
    params: completion(greeting, { argument: { name: over(nameBytes), value: '' } }),
    field: 'params.argument.name',
    maxBytes: nameBytes,
  },
  {
    method: 'completion/complete',
    params: completion(greeting, { argument: { name: 'who', value: over(FIELD_LIMITS.completionValueBytes) } }),
    field: 'params.argument.value',
    maxBytes: FIELD_LIMITS.completionValueBytes,
  },
  {
    method: 'completion/complete',
    params: completion(greeting, { context: { arguments: { a: over(FIELD_LIMITS.completionArgumentsBytes - '{"a":""}'.length) } } }),
    field: 'The JSON of params.context.arguments',
    maxBytes: FIELD_LIMITS.completionArgumentsBytes,
  },
];

/** The message about the field. */
export function complaintOf({ field, maxBytes }: LongField): string {
  return `${field} has ${maxBytes + 1} bytes; at most ${maxBytes} are allowed`;
}
