import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError, parseVariables, sharedConfig, sharedVariables } from './environment.js';
import { problemOfUrl, secretBytes } from './webhook-settings.js';

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const URL_OF_CRM = 'https://crm.example.com/hooks';
const environment = z.object(sharedVariables);

function configOf(endpoint: object, calls: object = {}) {
  const text = JSON.stringify({ endpoints: { crm: endpoint }, calls });
  return sharedConfig(parseVariables(environment, { LONGHAUL_WEBHOOKS: text })).webhooks;
}

function mistakeOf(endpoint: object, calls?: object): string {
  try {
    configOf(endpoint, calls);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

describe('the setting of webhooks', () => {
  it('has endpoints that report everything and contain nothing, unless they say otherwise', () => {
    expect(configOf({ url: URL_OF_CRM, secrets: [SECRET] })).toEqual({
      endpoints: {
        crm: {
          url: URL_OF_CRM,
          secrets: [SECRET],
          events: ['task.input_required', 'task.completed', 'task.failed', 'task.cancelled'],
          include: [],
          allowPrivate: false,
        },
      },
      calls: {},
    });
    const selective = { events: ['task.failed'], tenants: ['acme'], owners: ['user:ada'], tools: ['research'], include: ['results'] };
    expect(configOf({ url: URL_OF_CRM, secrets: [SECRET, SECRET], ...selective })?.endpoints['crm']).toMatchObject(selective);
  });

  it('is absent where it is not set', () => {
    expect(sharedConfig(parseVariables(environment, {}))).not.toHaveProperty('webhooks');
  });

  it.each<[object, string]>([
    [{ url: URL_OF_CRM }, 'endpoints.crm.secrets'],
    [{ url: URL_OF_CRM, secrets: [] }, 'endpoints.crm.secrets: needs a secret'],
    [{ url: URL_OF_CRM, secrets: [SECRET, SECRET, SECRET] }, 'endpoints.crm.secrets: has one secret, or two'],
    [{ url: URL_OF_CRM, secrets: [SECRET.slice('whsec_'.length)] }, 'endpoints.crm.secrets.0: must be whsec_'],
    [{ url: URL_OF_CRM, secrets: [`whsec_${randomBytes(23).toString('base64')}`] }, 'endpoints.crm.secrets.0: must be whsec_'],
    [{ url: URL_OF_CRM, secrets: [`whsec_${randomBytes(65).toString('base64')}`] }, 'endpoints.crm.secrets.0: must be whsec_'],
    [{ url: URL_OF_CRM, secrets: [`whsec_${'A'.repeat(32)}`] }, 'endpoints.crm.secrets.0: is a placeholder'],
    [{ url: URL_OF_CRM, secrets: [SECRET], events: ['task.started'] }, 'endpoints.crm.events.0: must be some of task.input_required'],
    [{ url: URL_OF_CRM, secrets: [SECRET], events: [] }, 'endpoints.crm.events: names no event'],
    [{ url: URL_OF_CRM, secrets: [SECRET], tools: [] }, 'endpoints.crm.tools: names nothing'],
    [{ url: URL_OF_CRM, secrets: [SECRET], include: ['arguments'] }, 'endpoints.crm.include.0: must be some of results'],
    [{ url: URL_OF_CRM, secrets: [SECRET], filter: 'x' }, 'filter'],
    [{ url: 'http://crm.example.com', secrets: [SECRET] }, 'endpoints.crm.url: must be an https: URL'],
  ])('refuses %j by its field', (endpoint, mistake) => {
    const message = mistakeOf(endpoint);
    expect(message).toContain('LONGHAUL_WEBHOOKS');
    expect(message).toContain(mistake);
  });

  it('never shows a secret, nor a URL, which may contain one', () => {
    const message = mistakeOf({ url: URL_OF_CRM, secrets: [SECRET], events: ['x'] });
    expect(message).not.toContain(SECRET);
    expect(message).not.toContain('crm.example.com');
  });

  it('has endpoints with plain names', () => {
    const text = JSON.stringify({ endpoints: { 'my crm 🚀': { url: URL_OF_CRM, secrets: [SECRET] } } });
    expect(() => parseVariables(environment, { LONGHAUL_WEBHOOKS: text })).toThrow('must have a name of 1 to 64 letters');
  });

  it('names the hosts that calls may name, as they are in URLs', () => {
    const calls = {
      'hooks.example.com': { secrets: [SECRET] },
      'hooks.example.com:8443': { secrets: [SECRET] },
      '[::1]:80': { secrets: [SECRET] },
    };
    expect(Object.keys(configOf({ url: URL_OF_CRM, secrets: [SECRET] }, calls)?.calls ?? {})).toEqual(Object.keys(calls));
    for (const host of ['Hooks.example.com', 'https://hooks.example.com', 'hooks.example.com/path', '*', ''])
      expect(mistakeOf({ url: URL_OF_CRM, secrets: [SECRET] }, { [host]: { secrets: [SECRET] } }), host).toContain(
        'must be a host in lower case',
      );
  });
});

describe('the URL of a webhook', () => {
  it.each<[string, string]>([
    ['ftp://crm.example.com', 'must be an https: URL'],
    ['crm.example.com', 'must be an https: URL'],
    ['', 'must be an https: URL'],
    ['https://ada@crm.example.com', 'must not contain a name or a password'],
    ['https://:secret@crm.example.com', 'must not contain a name or a password'],
    ['https://crm.example.com/#here', 'must not have a fragment'],
    [`https://crm.example.com/${'x'.repeat(2_048)}`, 'must have at most 2048 characters'],
    ['http://crm.example.com', 'must be an https: URL; http: is allowed only with allowPrivate'],
  ])('is not %s', (url, problem) => {
    expect(problemOfUrl(url, false)).toBe(problem);
  });

  it('may be without TLS where private addresses are allowed, and may have an address, a port and other letters', () => {
    expect(problemOfUrl('http://127.0.0.1:3000/hook', true)).toBeUndefined();
    for (const url of ['https://[2001:db8::1]:8443/hook?a=b', 'https://münchen.example/ü', 'https://203.0.113.9'])
      expect(problemOfUrl(url, false), url).toBeUndefined();
  });
});

describe('the secret of a webhook', () => {
  it('is the base64 of its bytes, with or without padding', () => {
    const bytes = randomBytes(25);
    const base64 = bytes.toString('base64');
    expect(secretBytes(`whsec_${base64}`)).toEqual(bytes);
    expect(secretBytes(`whsec_${base64.replace(/=+$/, '')}`)).toEqual(bytes);
    expect(secretBytes(base64)).toBeUndefined();
  });
});
