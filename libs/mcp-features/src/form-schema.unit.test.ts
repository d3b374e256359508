import { ElicitRequestFormParamsSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { everyFieldForm } from '../../everything/src/forms/every-field-form.js';
import { answerCheckOf, formAnswerOf, formSchemaOf } from './form-schema.js';

describe('the form of a schema', () => {
  it.each<[string, z.ZodType, object]>([
    ['a text', z.string().min(1).max(9).describe('Your name'), { type: 'string', minLength: 1, maxLength: 9, description: 'Your name' }],
    ['a text with a title and a default', z.string().meta({ title: 'T' }).default('x'), { type: 'string', title: 'T', default: 'x' }],
    ['an address of mail', z.email(), { type: 'string', format: 'email' }],
    ['a URL', z.url(), { type: 'string', format: 'uri' }],
    ['a date', z.iso.date(), { type: 'string', format: 'date' }],
    ['a date with a time', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['a text in a format that forms do not have', z.uuid(), { type: 'string' }],
    ['a text with a pattern', z.string().regex(/^a/), { type: 'string' }],
    ['a number', z.number().min(1).max(5), { type: 'number', minimum: 1, maximum: 5 }],
    ['a whole number', z.int().min(1).max(5), { type: 'integer', minimum: 1, maximum: 5 }],
    ['a boolean', z.boolean().default(true), { type: 'boolean', default: true }],
    ['a choice', z.enum(['cat', 'dog']), { type: 'string', enum: ['cat', 'dog'] }],
    ['choices', z.array(z.enum(['cat', 'dog'])).min(1), { type: 'array', minItems: 1, items: { type: 'string', enum: ['cat', 'dog'] } }],
  ])('can have %s', (_what, type, field) => {
    const requestedSchema = formSchemaOf(z.object({ field: type }));
    expect(requestedSchema.properties).toEqual({ field });
    expect(ElicitRequestFormParamsSchema.parse({ message: '', requestedSchema }).requestedSchema.properties).toEqual({ field });
  });

  it('requires what has no default and is not optional', () => {
    const form = z.object({ a: z.string(), b: z.string().default('b'), c: z.string().optional(), d: z.boolean() });
    expect(formSchemaOf(form)).toMatchObject({ type: 'object', required: ['a', 'd'] });
    expect(formSchemaOf(z.object({}))).toEqual({ type: 'object', properties: {} });
  });

  it.each<[string, z.ZodType]>([
    ['an object', z.object({ x: z.string() })],
    ['a list of texts', z.array(z.string())],
    ['one of two types', z.union([z.string(), z.number()])],
    ['null', z.string().nullable()],
    ['a date of JavaScript', z.date()],
    ['anything', z.unknown()],
  ])('cannot have %s, and says of which field that is', (_what, type) => {
    expect(() => formSchemaOf(z.object({ name: z.string(), odd: type }))).toThrow(
      new TypeError('A form cannot have the field "odd": only texts, numbers, booleans and choices.'),
    );
  });
});

describe('the answer to a form', () => {
  const form = z.object({ size: z.int().max(10), color: z.string().default('blue') });

  it('is what was accepted, in the shape of the schema', () => {
    expect(formAnswerOf(form, { action: 'accept', content: { size: 3 } })).toEqual({
      action: 'accept',
      content: { size: 3, color: 'blue' },
    });
  });

  it.each(['decline', 'cancel'] as const)('is no content after %s', (action) => {
    expect(formAnswerOf(form, { action, content: { size: 3 } })).toEqual({ action });
  });

  it('must fit the schema', () => {
    expect(() => formAnswerOf(form, { action: 'accept', content: { size: 30 } })).toThrow(/"size"/);
    expect(() => formAnswerOf(form, { action: 'accept' })).toThrow(z.ZodError);
  });
});

describe('the answer to a form in the words of the protocol', () => {
  const filledIn: Record<string, string | number | boolean | string[]> = {
    name: 'Ada',
    check: true,
    firstLine: '',
    email: 'ada@example.com',
    homepage: 'https://example.com',
    birthdate: '1815-12-10',
    integer: 36,
    number: 1.5,
    untitledSingleSelectEnum: 'Joey',
    untitledMultipleSelectEnum: ['Guitar', 'Bass'],
    titledSingleSelectEnum: 'hero-2',
    titledMultipleSelectEnum: ['fish-3'],
    legacyTitledEnum: 'pet-5',
  };
  const check = answerCheckOf(everyFieldForm.requestedSchema);

  it.each([filledIn, { name: 'Ada' }, { name: 'Ada', unknown: 1 }])('is what the client sent when that fits: %j', (content) => {
    const answer = { action: 'accept', content } as const;
    expect(check(answer)).toBe(answer);
    expect(answer.content).toEqual(content);
  });

  it.each([{ action: 'decline', content: { name: 1 } }, { action: 'cancel' }] as const)(
    'is not looked at unless it was accepted: %j',
    (answer) => {
      expect(check(answer)).toBe(answer);
    },
  );

  it.each<[string, unknown]>([
    ['name', undefined],
    ['name', 7],
    ['check', 'yes'],
    ['email', 'ada'],
    ['homepage', 'here'],
    ['birthdate', '1815-02-30'],
    ['integer', 1.5],
    ['integer', 101],
    ['number', -1],
    ['untitledSingleSelectEnum', 'Gunther'],
    ['untitledMultipleSelectEnum', []],
    ['untitledMultipleSelectEnum', ['Guitar', 'Bass', 'Piano', 'Drums']],
    ['titledSingleSelectEnum', 'Superman'],
    ['titledMultipleSelectEnum', ['Tuna']],
    ['legacyTitledEnum', 'Cats'],
  ])('is refused with the field that does not fit: %s = %j', (field, value) => {
    const issues = z.array(z.object({ path: z.array(z.string()) }));
    const thrown = ((): unknown => {
      try {
        return check({ action: 'accept', content: { ...filledIn, [field]: value } });
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(z.ZodError);
    expect(issues.parse((thrown as z.ZodError).issues.map(({ path }) => ({ path: path.slice(0, 1) })))).toEqual([{ path: [field] }]);
  });

  it('is missing a required field also where the form has a default for it, and without any content', () => {
    const required = answerCheckOf({ type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: ['a'] });
    expect(() => required({ action: 'accept', content: {} })).toThrow(z.ZodError);
    expect(() => required({ action: 'accept' })).toThrow(z.ZodError);
  });

  it('cannot be checked against what is no schema of a form, which is said before anything is asked', () => {
    for (const schema of [undefined, { type: 'object' }, { type: 'object', properties: { a: { not: { type: 'string' } } } }])
      expect(() => answerCheckOf(schema as never)).toThrow(TypeError);
  });
});
