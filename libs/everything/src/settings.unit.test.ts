import { ConfigError } from '@longhaul/runtime/environment';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.js';

describe('the settings of the features', () => {
  it('need no variable at all', () => {
    expect(readSettings({})).toEqual({
      researchStageMs: 1000,
      simulatedUpdatesMs: 5000,
      exposeEnv: false,
      gzip: { maxBytes: 10 * 1024 * 1024, maxMs: 30_000, allowedDomains: [], allowPrivateAddresses: false, privateNetworks: [] },
    });
  });

  it('take every variable', () => {
    expect(
      readSettings({
        LONGHAUL_RESEARCH_STAGE_MS: '0',
        LONGHAUL_SIMULATED_UPDATES_MS: '100',
        LONGHAUL_EXPOSE_ENV: '1',
        LONGHAUL_GZIP_MAX_BYTES: '1000',
        LONGHAUL_GZIP_MAX_MS: '2000',
        LONGHAUL_GZIP_ALLOWED_DOMAINS: 'a.example, bücher.example',
        LONGHAUL_GZIP_ALLOW_PRIVATE: '1',
      }),
    ).toEqual({
      researchStageMs: 0,
      simulatedUpdatesMs: 100,
      exposeEnv: true,
      gzip: {
        maxBytes: 1_000,
        maxMs: 2_000,
        allowedDomains: ['a.example', 'bücher.example'],
        allowPrivateAddresses: true,
        privateNetworks: [],
      },
    });
  });

  it.each([
    ['LONGHAUL_EXPOSE_ENV', 'yes', 'must be 0 or 1'],
    ['LONGHAUL_GZIP_MAX_BYTES', '0', 'must be a whole number from 1 to 104857600'],
    ['LONGHAUL_GZIP_ALLOWED_DOMAINS', 'https://a.example', 'must be domains such as example.com, separated by commas'],
    ['LONGHAUL_GZIP_ALLOWED_DOMAINS', 'a.example,*.b.example', 'must be domains such as example.com, separated by commas'],
  ])('name %s, its value %j and what is allowed', (name, value, allowed) => {
    expect(() => readSettings({ [name]: value })).toThrow(new ConfigError(`${name}=${value}: ${allowed}`));
  });
});
