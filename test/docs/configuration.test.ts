/** Compares the tables of environment variables and of the limits of fields with the code. */
import { maxHeaderSize } from 'node:http';
import { VARIABLE_NAMES } from '@longhaul/runtime/variable-names';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { documents, pathsOf, section, sorted, tableRows, textOf } from './documents.js';

const rows = tableRows(section('docs/configuration.md', 'Variables')).map(([name = '', fallback = '']) => ({ name, fallback }));

describe('the table of variables', () => {
  it('has every variable that an app or a feature reads', () => {
    const sources = [...pathsOf('apps/*/src/**/*.ts'), ...pathsOf('libs/*/src/**/*.ts')].filter((path) => !path.endsWith('.test.ts'));
    const read = sources.flatMap((path) => [...textOf(path).matchAll(/\benv\b\??\.?\[?'?(LONGHAUL_[A-Z_]+)\b/g)].map(([, name]) => name));
    expect(read.length).toBeGreaterThan(5);
    expect(sorted(read).filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
  });

  it('has every name that a misspelt one is compared with, and no other', () => {
    expect(VARIABLE_NAMES.toSorted()).toEqual(sorted(rows.map(({ name }) => name).filter((name) => name.startsWith('LONGHAUL_'))));
  });
});

describe('the table of the limits of fields', () => {
  const UNITS: Readonly<Record<string, number>> = { '': 1, bytes: 1, KiB: 1024, MiB: 1024 * 1024 };
  const limits = tableRows(section('docs/fixed-limits.md', 'Limits of fields')).map(([name = '', what = '', limit = '', over = '']) => {
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
    expect(section('docs/fixed-limits.md', 'Limits of fields')).toContain(`at most ${maxHeaderSize / 1024} KiB, which Node refuses`);
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
