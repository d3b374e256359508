/** Tests which values the schema of the chart refuses, as Helm does before it installs anything. */
import { VARIABLE_NAMES } from '@longhaul/runtime/variable-names';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { textOf } from '../../docs/documents.js';

interface Schema {
  readonly properties: {
    readonly settings: { readonly propertyNames: { readonly anyOf: readonly [unknown, { readonly enum: string[] }] } };
  };
}

const schema = JSON.parse(textOf('deploy/helm/longhaul/values.schema.json')) as Schema;
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
const defaults = parse(textOf('deploy/helm/longhaul/values.yaml')) as Readonly<Record<string, object>>;

/** The default values, with some of them changed. */
const isValid = (values: Readonly<Record<string, unknown>>): boolean => validate({ ...defaults, ...values });

it('takes the default values', () => {
  expect(isValid({})).toBe(true);
});

it('knows all settings', () => {
  const [, { enum: known }] = schema.properties.settings.propertyNames.anyOf;
  expect(known).toEqual(VARIABLE_NAMES.filter((name) => name.startsWith('LONGHAUL_')).toSorted());
});

it.each<[string, Record<string, unknown>]>([
  ['a misspelt setting', { settings: { LONGHAUL_DRAIN: '10000' } }],
  ['a setting that is a number', { settings: { LONGHAUL_DRAIN_MS: 10_000 } }],
  ['a misspelt part', { gatway: {} }],
  ['a misspelt value of a part', { gateway: { ...defaults['gateway'], replica: 2 } }],
  ['a value of another type', { worker: { ...defaults['worker'], replicas: 'two' } }],
  ['a wrong policy', { gateway: { ...defaults['gateway'], image: { repository: 'r', pullPolicy: 'Sometimes' } } }],
])('refuses %s', (_what, values) => {
  expect(isValid(values)).toBe(false);
});

it('takes variables of other programs', () => {
  expect(isValid({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' } })).toBe(true);
});
