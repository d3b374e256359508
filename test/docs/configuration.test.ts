/** Compares the tables of environment variables and of the limits of fields with the code, both ways. */
import { maxHeaderSize } from 'node:http';
import { readConfig as readGatewayConfig } from '@longhaul/gateway/config';
import { VARIABLE_NAMES } from '@longhaul/runtime/misspelt-variables';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { readConfig as readOperatorConfig } from '@longhaul/operator/config';
import { readConfig as readWorkerConfig } from '@longhaul/worker/config';
import { describe, expect, it } from 'vitest';
import { documents, pathsOf, section, sorted, tableRows, textOf } from './documents.js';

const rows = tableRows(section('docs/configuration.md', 'Variables')).map(([name = '', fallback = '', allowed = '', readBy = '']) => ({
  name,
  fallback,
  range: /^(\d+) to (\d+)$/.exec(allowed)?.slice(1).map(Number),
  readBy,
}));

/** Those of feature packages, each read by the package itself. */
const settingsPaths = pathsOf('libs/*/src/**/settings.ts');
const packages = (await Promise.all(settingsPaths.map((path) => import(new URL(`../../${path}`, import.meta.url).href)))) as {
  readonly readSettings: (env: NodeJS.ProcessEnv) => unknown;
}[];

function read(readBy: string, env: NodeJS.ProcessEnv): unknown {
  const readApp = readBy.startsWith('gateway') ? readGatewayConfig : readBy === 'operator' ? readOperatorConfig : readWorkerConfig;
  const ofApp = readApp(env);
  return [ofApp, ...packages.map(({ readSettings }) => readSettings(env))];
}

describe('the table of variables', () => {
  it('has every variable that an app reads, and no other', () => {
    const sources = [
      ...pathsOf('apps/*/src/**/*.ts'),
      'libs/runtime/src/environment.ts',
      'libs/runtime/src/blob-settings.ts',
      'libs/runtime/src/signing-settings.ts',
      'libs/tasks/src/creation-settings.ts',
      'libs/runtime/src/schedules/schedule-variables.ts',
      ...settingsPaths,
    ].filter((path) => !path.endsWith('.test.ts'));
    const named = sources.flatMap((path) => [
      ...textOf(path).matchAll(/\b(LONGHAUL_[A-Z_]+|REDIS_URL|LOG_LEVEL|LOG_FORMAT|NODE_ENV|PORT|HOST)\b(?=:|']|=)/g),
    ]);
    expect(sorted(rows.map(({ name }) => name))).toEqual(sorted(named.map(([, name]) => name)));
  });

  it('has every name that a misspelt one is compared with, and no other', () => {
    expect(VARIABLE_NAMES.toSorted()).toEqual(sorted(rows.map(({ name }) => name).filter((name) => name.startsWith('LONGHAUL_'))));
  });

  it.each(rows.filter(({ readBy, range }) => readBy.includes(', operator') && range !== undefined))(
    'gives $name to operators too',
    ({ name, fallback }) => {
      expect(read('operator', { [name]: fallback })).toEqual(read('operator', {}));
      expect(() => read('operator', { [name]: '-1' })).toThrow(name);
    },
  );

  it.each(rows.filter(({ fallback, readBy }) => fallback !== '' && readBy !== 'npm start'))('gives the default of $name', (row) => {
    expect(read(row.readBy, { [row.name]: row.fallback })).toEqual(read(row.readBy, {}));
  });

  it.each(rows.flatMap(({ range, ...row }) => (range === undefined ? [] : [{ ...row, least: range[0] ?? 0, most: range[1] ?? 0 }])))(
    'gives the limits of $name',
    ({ name, readBy, least, most }) => {
      for (const value of [least, most]) expect(() => read(readBy, { [name]: String(value) })).not.toThrow();
      for (const value of [least - 1, most + 1]) expect(() => read(readBy, { [name]: String(value) })).toThrow(name);
    },
  );
});

describe('the table of the limits of fields', () => {
  const UNITS: Readonly<Record<string, number>> = { '': 1, bytes: 1, KiB: 1024, MiB: 1024 * 1024 };
  const limits = tableRows(section('docs/configuration.md', 'Limits of fields')).map(([name = '', what = '', limit = '', over = '']) => {
    const [, digits = '', unit = ''] = /^([\d,]+) ?(\w*)(?: of JSON)?$/.exec(limit) ?? [];
    return { name, what, over, value: Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? Number.NaN) };
  });

  it('has every limit with its value, and no other', () => {
    expect(Object.fromEntries(limits.map(({ name, value }) => [name, value]))).toEqual(FIELD_LIMITS);
  });

  it('says of each what it is of, and what happens beyond it', () => {
    expect(limits.filter(({ what, over }) => what === '' || over === '')).toEqual([]);
  });

  it('says how large headers may be', () => {
    expect(section('docs/configuration.md', 'Limits of fields')).toContain(`at most ${maxHeaderSize / 1024} KiB, which Node refuses`);
  });
});

/** A number with a unit, and a variable: `45 s (`LONGHAUL_…`)`, or the other way round. */
const STATED = [
  /(?<number>[\d,.]+|an?) (?<unit>ms|s|minutes?|hours?|days?|KiB|MiB)(?: by default)? \(`(?<name>[A-Z_]+)`\)/g,
  /`(?<name>[A-Z_]+)` \((?<number>[\d,.]+|an?) (?<unit>ms|s|minutes?|hours?|days?|KiB|MiB)\)/g,
];
const SIZES: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  KiB: 1_024,
  MiB: 1_048_576,
};

describe('a default that a page states with its variable', () => {
  const stated = documents
    .filter((document) => !document.startsWith('docs/adr/') && document !== 'CHANGELOG.md')
    .flatMap((document) =>
      STATED.flatMap((pattern) => [...textOf(document).matchAll(pattern)].map(({ groups = {} }) => ({ document, groups }))),
    )
    .flatMap(({ document, groups: { name = '', number = '', unit = '' } }) => {
      const fallback = rows.find((row) => row.name === name)?.fallback ?? '';
      const count = number.startsWith('a') ? 1 : Number(number.replaceAll(',', ''));
      return fallback === ''
        ? []
        : [{ document, name, fallback, value: count * (SIZES[unit] ?? SIZES[unit.replace(/s$/, '')] ?? Number.NaN) }];
    });

  it('is found', () => {
    expect(stated.length).toBeGreaterThan(5);
  });

  it.each(stated)('is that of $name in $document', ({ value, fallback }) => {
    expect(value).toBe(Number(fallback));
  });
});
