import type { TaskContext } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { withClientContext } from './client-context.js';
import { definePrompt } from './define-prompt.js';
import { defineTool, type InlineToolSpec } from './define-tool.js';

/** A tool as JavaScript may define it. */
function tool(schemas: { readonly input?: unknown; readonly output?: unknown }) {
  return defineTool({ name: 'find', description: 'Finds.', run: () => 'found', ...schemas } as unknown as InlineToolSpec<
    z.ZodObject,
    z.ZodObject
  >);
}

function prompt(schema: unknown) {
  return definePrompt({ name: 'greet', description: 'Greets.', arguments: schema as z.ZodObject, run: () => 'Hello' });
}

const ZOD_3 = "was made by zod 3: install zod 4, or import { z } from 'zod/v4' if your zod is 3.25 or newer.";
const EXAMPLE = 'write it as z.object({ city: z.string() }).';

describe('a schema that a feature cannot have is named with its feature, and with what to write in its place:', () => {
  it.each<[string, () => unknown, string]>([
    [
      'no input of a tool',
      () => tool({}),
      'Tool find has no "input": give it a zod object such as z.object({ city: z.string() }), or z.object({}) if it takes no arguments.',
    ],
    ['an input of zod 3', () => tool({ input: z3.object({}) }), `Tool find: "input" ${ZOD_3}`],
    ['an input with members of zod 3', () => tool({ input: { city: z3.string() } }), `Tool find: "input" ${ZOD_3}`],
    [
      'an input that is a text',
      () => tool({ input: z.string() }),
      `Tool find: "input" is a zod string and has to be a zod object: ${EXAMPLE}`,
    ],
    [
      'an input of bare members',
      () => tool({ input: { city: z.string() } }),
      'Tool find: "input" has zod types as its members: put z.object(…) around them.',
    ],
    [
      'an input that is neither zod nor a JSON Schema',
      () => tool({ input: { city: 'string' } }),
      `Tool find: "input" is no zod object: ${EXAMPLE}`,
    ],
    ['an input that is no object', () => tool({ input: 'text' }), `Tool find: "input" is no zod object: ${EXAMPLE}`],
    ['an output of zod 3', () => tool({ input: z.object({}), output: z3.object({}) }), `Tool find: "output" ${ZOD_3}`],
    [
      'an output that is JSON Schema',
      () => tool({ input: z.object({}), output: { type: 'object' } }),
      `Tool find: "output" is no zod object: ${EXAMPLE}`,
    ],
    ['arguments of a prompt of zod 3', () => prompt(z3.object({})), `Prompt greet: "arguments" ${ZOD_3}`],
  ])('%s', (_what, define, message) => {
    expect(define).toThrow(new TypeError(message));
  });

  it('a form of zod 3', async () => {
    const context = withClientContext({ client: { capabilities: {} } } as TaskContext);
    await expect(context.elicit(z3.object({}) as unknown as z.ZodObject)).rejects.toThrow(new TypeError(`context.elicit: "form" ${ZOD_3}`));
  });
});

describe('a schema that a feature can have', () => {
  it.each<[string, unknown]>([
    ['a zod object', z.object({ city: z.string() })],
    ['a zod object with a check of all of it', z.object({ city: z.string() }).refine(({ city }) => city !== '')],
    ['a JSON Schema', { type: 'object', properties: { city: { type: 'string' } } }],
  ])('is %s', (_what, input) => {
    expect(tool({ input }).name).toBe('find');
  });
});

describe('a type that JSON Schema does not have', () => {
  it.each([
    ['input', { at: z.date() }, 'at'],
    ['input', { name: z.string(), order: z.object({ count: z.bigint() }) }, 'order.count'],
    ['output', { found: z.map(z.string(), z.string()) }, 'found'],
    ['input', { each: z.array(z.date()).optional() }, 'each'],
  ])('is refused by the tool and the field: %s, %o', (member, shape, field) => {
    const schemas = { input: z.object({}), [member]: z.object(shape) };
    expect(() => tool(schemas)).toThrow(`Tool find: "${member}" has a field that no client can be told of, ${field}: `);
  });
});
