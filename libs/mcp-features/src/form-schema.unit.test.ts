import { ElicitRequestFormParamsSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { everyFieldForm } from '../../everything/src/forms/every-field-form.js';
import { formAnswerOf, formOfOthers, formSchemaOf, requireForm } from './form-schema.js';

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

  it('is what is wrong with it when it does not fit the schema', () => {
    expect(formAnswerOf(form, { action: 'accept', content: { size: 30 } })).toBeInstanceOf(z.ZodError);
    expect(formAnswerOf(form, { action: 'accept' })).toBeInstanceOf(z.ZodError);
  });
});

describe('a form in the words of the protocol', () => {
  const withField = (field: unknown): object => ({ message: '?', requestedSchema: { type: 'object', properties: { a: field } } });

  it('may have a field of every type that forms have, and a page to open has no form', () => {
    expect(() => requireForm(everyFieldForm)).not.toThrow();
    expect(() => requireForm({ mode: 'url' })).not.toThrow();
  });

  it.each<[unknown, RegExp]>([
    [{ type: 'string', pattern: '^(a+)+$' }, /"pattern".*"a"/],
    [{ type: 'string', allOf: [] }, /"allOf".*"a"/],
    [{ type: 'array', items: { type: 'string', enum: ['x'] }, uniqueItems: true }, /"uniqueItems".*"a"/],
    [{ not: { type: 'string' } }, /"a"/],
    [{ type: 'object' }, /"a"/],
    [7, /"a"/],
  ])('is refused, before anything is asked, with the field %j', (field, named) => {
    expect(() => requireForm(withField(field))).toThrow(TypeError);
    expect(() => requireForm(withField(field))).toThrow(named);
  });

  it.each([undefined, {}, { type: 'object' }, { properties: [] }, 'text'])('is refused when its schema is %j', (requestedSchema) => {
    expect(() => requireForm({ requestedSchema })).toThrow(/requestedSchema/);
  });
});

describe('a form of another server', () => {
  it('loses what forms do not have, such as a pattern', () => {
    const properties = { a: { type: 'string', pattern: '(a+)+$', title: 'A' }, b: { type: 'number', maximum: 3, multipleOf: 2 } };
    const form = formOfOthers({ message: '?', requestedSchema: { type: 'object', properties } });
    expect(form).toEqual({
      message: '?',
      requestedSchema: { type: 'object', properties: { a: { type: 'string', title: 'A' }, b: { type: 'number', maximum: 3 } } },
    });
    expect(() => requireForm(form)).not.toThrow();
  });

  it.each([{ message: '?' }, { requestedSchema: 7 }, { mode: 'url', url: 'https://example.com' }])('that is no form stays %j', (params) => {
    expect(formOfOthers(params)).toEqual(params);
  });
});
