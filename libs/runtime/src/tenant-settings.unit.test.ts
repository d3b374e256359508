import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseVariables, sharedConfig, sharedVariables } from './environment.js';
import { z } from 'zod';

const environment = z.object(sharedVariables);

function mistakeOf(text: string): string {
  try {
    parseVariables(environment, { LONGHAUL_TENANTS: text });
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('the setting of tenants', () => {
  it('says what holds for all of them, and for some', () => {
    const text = '{"default":{"maxRunning":3},"tenants":{"acme":{"weight":2,"maxRunning":null}}}';
    const data = parseVariables(environment, { LONGHAUL_TENANTS: text });
    expect(sharedConfig(data).tenants).toEqual({
      default: { maxRunning: 3 },
      tenants: { acme: { weight: 2, maxRunning: null } },
    });
  });

  it('may be a file, or a text, that has a byte order mark', () => {
    const folder = mkdtempSync(join(tmpdir(), 'longhaul-tenants-'));
    const path = join(folder, 'tenants.json');
    const text = '\ufeff{"default":{"maxRunning":3}}';
    writeFileSync(path, text);
    for (const given of [path, text])
      expect(sharedConfig(parseVariables(environment, { LONGHAUL_TENANTS: given })).tenants).toMatchObject({ default: { maxRunning: 3 } });
    rmSync(folder, { recursive: true });
  });

  it('says nothing where it is not set, or empty', () => {
    expect(sharedConfig(parseVariables(environment, {})).tenants).toEqual({ default: {}, tenants: {} });
    expect(sharedConfig(parseVariables(environment, { LONGHAUL_TENANTS: '{}' })).tenants).toEqual({ default: {}, tenants: {} });
  });

  it.each<[string, string, string]>([
    ['a weight of nothing', '{"tenants":{"acme":{"weight":0}}}', 'tenants.acme.weight: must be a whole number from 1 to 100'],
    ['a weight that is no whole number', '{"default":{"weight":1.5}}', 'default.weight: must be a whole number from 1 to 100'],
    ['no passes at all', '{"default":{"maxRunning":0}}', 'default.maxRunning: must be a whole number from 1 to 100000'],
    ['a setting that nobody knows', '{"default":{"wait":1}}', 'default: Unrecognized key: "wait"'],
    ['a tenant without a name', '{"tenants":{"":{}}}', 'tenants.: Invalid key'],
    ['no JSON', '{', 'is no JSON'],
    ['a file that is not there', '/nowhere/tenants.json', 'no such file can be read (ENOENT)'],
  ])('refuses %s', (_what, text, mistake) => {
    expect(mistakeOf(text)).toContain(`LONGHAUL_TENANTS: `);
    expect(mistakeOf(text)).toContain(mistake);
  });
});
