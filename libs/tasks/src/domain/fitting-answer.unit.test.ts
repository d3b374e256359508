import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.js';
import { CommandRejected } from './rejection.js';
import { fittingAnswer } from './fitting-answer.js';

const properties = {
  name: { type: 'string', title: 'Name' },
  short: { type: 'string', minLength: 2, maxLength: 3 },
  agree: { type: 'boolean' },
  age: { type: 'integer', minimum: 1, maximum: 150 },
  weight: { type: 'number' },
  any: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  email: { type: 'string', format: 'email' },
  page: { type: 'string', format: 'uri' },
  born: { type: 'string', format: 'date' },
  since: { type: 'string', format: 'date-time' },
  friend: { type: 'string', enum: ['Joey', 'Ross'] },
  hero: { type: 'string', oneOf: [{ const: 'h1', title: 'Superman' }] },
  tools: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', enum: ['Drums', 'Bass'] } },
  fish: { type: 'array', items: { anyOf: [{ const: 'f1', title: 'Tuna' }] } },
  // Nothing that forms have.
  odd: { type: 'object' },
  pin: { type: 'string', minLength: 4, maxLength: 4 },
} as const;

function form(required: readonly string[] = []): JsonObject {
  return { mode: 'form', message: '?', requestedSchema: { type: 'object', properties, required } };
}

/** What is recorded of the content. */
function read(content: unknown, required?: readonly string[]): unknown {
  const answer = fittingAnswer(
    { method: 'elicitation/create', params: form(required) },
    { response: { action: 'accept', content } as JsonObject },
  );
  return 'response' in answer ? answer.response['content'] : answer;
}

function rejectionOf(work: () => unknown): { message: string; field: unknown } {
  try {
    return { message: `taken: ${JSON.stringify(work())}`, field: undefined };
  } catch (error) {
    if (!(error instanceof CommandRejected) || error.code !== 'ANSWER_DOES_NOT_FIT') throw error;
    return { message: error.message, field: error.field };
  }
}

describe('an answer to a form', () => {
  it.each<JsonObject>([
    { name: 'Ada', short: 'äöü', agree: false, age: 36, weight: 1.5, friend: 'Ross', hero: 'h1', tools: ['Drums'], fish: ['f1', 'f1'] },
    { email: 'root@localhost', page: 'https://example.com', born: '2024-02-29', since: '2026-01-31T12:00:00.5+02:00' },
    { short: '🎉🎉🎉', unknown: 1, others: ['a'], odd: 5 },
    {},
  ])('that fits is recorded as it is: %j', (content) => {
    expect(read(content)).toEqual(content);
  });

  it.each<[string, unknown, unknown]>([
    ['age', '5', 5],
    ['age', ' 5 ', 5],
    ['weight', '-1.5e3', -1_500],
    ['agree', 'true', true],
    ['agree', 'False', false],
    ['since', '2026-01-31t12:00:00z', '2026-01-31T12:00:00Z'],
  ])('means what is plain: %s = %j is %j', (field, given, meant) => {
    expect(read({ [field]: given })).toEqual({ [field]: meant });
  });

  it.each(Object.keys(properties))('has nothing in the field %s when that may be left out and is empty or null', (field) => {
    expect(read({ [field]: '' })).toEqual({});
    expect(read({ [field]: null })).toEqual({});
  });

  it('may be an empty text where a text is required', () => {
    expect(read({ name: '' }, ['name'])).toEqual({ name: '' });
  });

  it.each<[string, unknown, string]>([
    ['name', 7, 'a text'],
    ['short', 'a', 'a text of from 2 to 3 characters'],
    ['agree', 'yes', 'true or false'],
    ['agree', 1, 'true or false'],
    ['age', 1.5, 'a whole number from 1 to 150'],
    ['age', '200', 'a whole number from 1 to 150'],
    ['age', '1e400', 'a whole number from 1 to 150'],
    ['weight', 'heavy', 'a number'],
    ['any', 'many', 'a whole number'],
    ['weight', '0x10', 'a number'],
    ['email', 'ada', 'an e-mail address'],
    ['email', 'ada lovelace@example.com', 'an e-mail address'],
    ['page', 'here', 'a URI, such as https://example.com'],
    ['born', '1815-02-30', 'a date, such as 2026-01-31'],
    ['since', '2026-01-31T12:00', 'a date with time, such as 2026-01-31T12:00:00Z'],
    ['since', '2026-02-30T12:00:00Z', 'a date with time, such as 2026-01-31T12:00:00Z'],
    ['friend', 'Gunther', 'one of "Joey", "Ross"'],
    ['hero', 'Superman', 'one of "h1"'],
    ['tools', [], 'a list of from 1 to 2 "Drums", "Bass"'],
    ['tools', ['Drums', 'Bass', 'Drums'], 'a list of from 1 to 2 "Drums", "Bass"'],
    ['fish', 'f1', 'a list of "f1"'],
    ['unknown', { nested: true }, 'a text, a number, true or false, or a list of texts'],
    ['pin', '123', 'a text of exactly 4 characters'],
  ])('is refused in one sentence that names the field: %s = %j', (field, given, wanted) => {
    const refused = { message: `The field "${field}" must be ${wanted}.`, field: `content.${field}` };
    expect(rejectionOf(() => read({ [field]: given }))).toEqual(refused);
  });

  it.each([{}, { name: null }, undefined, null])('is refused without a required field: %j', (content) => {
    expect(rejectionOf(() => read(content, ['name']))).toEqual({ message: 'The field "name" is required.', field: 'content.name' });
  });

  it.each([7, 'text', ['Ada']])('is refused when its content is no object: %j', (content) => {
    expect(rejectionOf(() => read(content)).field).toBe('content');
  });

  it('names long fields and many choices in a short sentence', () => {
    const choices = Array.from({ length: 1_000 }, (_, at) => `${at} ${'x'.repeat(1_000)}`);
    const requestedSchema = { type: 'object', properties: { ['f'.repeat(10_000)]: { type: 'string', enum: choices } } };
    const refused = rejectionOf(() =>
      fittingAnswer(
        { method: 'elicitation/create', params: { requestedSchema } },
        { response: { action: 'accept', content: { ['f'.repeat(10_000)]: 'no' } } },
      ),
    );
    expect(refused.message).toMatch(/^The field "f+…" must be one of .* 988 more\.$/);
    expect(refused.message.length).toBeLessThan(1_200);
  });

  it('is never matched with a pattern, which forms do not have', () => {
    const requestedSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const response = { action: 'accept', content: { a: `${'a'.repeat(40)}!` } };
    expect(fittingAnswer({ method: 'elicitation/create', params: { requestedSchema } }, { response })).toEqual({ response });
  });

  it('has fields of the form alone that are its own', () => {
    expect(rejectionOf(() => read(JSON.parse('{"__proto__": {"a": 1}}'))).field).toBe('content.__proto__');
    expect(Object.getOwnPropertyNames(read(JSON.parse('{"__proto__": "a"}')))).toEqual(['__proto__']);
  });
});

describe('an answer to an elicitation', () => {
  const answered = (params: JsonObject, response: JsonObject): unknown =>
    fittingAnswer({ method: 'elicitation/create', params }, { response });

  it.each(['decline', 'cancel'])('has no content when it is %s', (action) => {
    expect(answered(form(['name']), { action, content: { name: 7 } })).toEqual({ response: { action } });
  });

  it.each([undefined, 'shrug', 7])('is refused with the action %j', (action) => {
    expect(rejectionOf(() => answered(form(), (action === undefined ? {} : { action }) as JsonObject)).field).toBe('action');
  });

  it('by a page has no content', () => {
    expect(answered({ mode: 'url', url: 'https://example.com' }, { action: 'accept', content: { a: 1 } })).toEqual({
      response: { action: 'accept' },
    });
  });

  it('keeps its _meta, and may be an error or the task of a client that was offered that', () => {
    expect(answered(form(), { action: 'accept', _meta: { a: 1 } })).toEqual({ response: { action: 'accept', _meta: { a: 1 } } });
    expect(answered({ ...form(), task: {} }, { task: { taskId: 'theirs' } })).toEqual({ response: { task: { taskId: 'theirs' } } });
    const error = { error: { code: -1, message: 'no' } };
    expect(fittingAnswer({ method: 'elicitation/create', params: form() }, error)).toEqual(error);
  });

  it('is not what answers of other methods are checked for', () => {
    const answer = { response: { model: 'm' } };
    expect(fittingAnswer({ method: 'sampling/createMessage', params: {} }, answer)).toEqual(answer);
  });
});
