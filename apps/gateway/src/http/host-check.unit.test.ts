import { describe, expect, it } from 'vitest';
import { createHostCheck, type HostCheckOptions } from './host-check.js';

const DEFAULTS: HostCheckOptions = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] };

function isServed(headers: { host?: string; origin?: string }, options: Partial<HostCheckOptions> = {}): boolean {
  try {
    createHostCheck({ ...DEFAULTS, ...options })({ headers, rawHeaders: [] });
    return true;
  } catch {
    return false;
  }
}

describe('a host name', () => {
  it.each(['localhost', 'localhost:3000', 'LOCALHOST:1', '127.0.0.1:65535', '[::1]:80', '[::1]'])(
    'such as %s is served by default',
    (host) => {
      expect(isServed({ host })).toBe(true);
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:3000',
    '',
    'localhost:3000:1',
    'localhost@evil.example',
  ])('such as %j is not', (host) => {
    expect(isServed({ host })).toBe(false);
  });

  it('must be there', () => {
    expect(isServed({})).toBe(false);
  });

  it('must be there once', () => {
    const rawHeaders = ['Host', 'localhost', 'accept', '*/*', 'host', 'evil.example'];
    expect(() => createHostCheck(DEFAULTS)({ headers: { host: 'localhost' }, rawHeaders })).toThrow('The header Host came more than once.');
  });

  it('is cut where it is shown', () => {
    expect(() => createHostCheck(DEFAULTS)({ headers: { host: 'x'.repeat(10_000) }, rawHeaders: [] })).toThrow(
      /^Host "x{197}…" is not served here/,
    );
  });

  it('can be added, with any port or with one', () => {
    const options = { allowedHosts: ['Tasks.example', 'other.example:8080'] };

    expect(isServed({ host: 'tasks.example:1234' }, options)).toBe(true);
    expect(isServed({ host: 'other.example:8080' }, options)).toBe(true);
    expect(isServed({ host: 'other.example:9090' }, options)).toBe(false);
  });

  it('may be anything when everything is allowed', () => {
    expect(isServed({ host: 'evil.example' }, { allowedHosts: ['*'] })).toBe(true);
  });

  it('may be the address that the server is bound to', () => {
    expect(isServed({ host: '192.168.0.7:3000' }, { host: '192.168.0.7' })).toBe(true);
    expect(isServed({ host: '[fd00::7]:3000' }, { host: 'fd00::7' })).toBe(true);
  });
});

describe('a page', () => {
  const host = 'localhost:3000';

  it.each(['http://localhost:6274', 'https://127.0.0.1', 'http://[::1]:5173'])('from %s is allowed by default', (origin) => {
    expect(isServed({ host, origin })).toBe(true);
  });

  it.each(['http://evil.example', 'null', 'file://', '', 'http://localhost.evil.example', 'chrome-extension://abc'])(
    'from %j is not',
    (origin) => {
      expect(isServed({ host, origin })).toBe(false);
    },
  );

  it('can be added by its origin', () => {
    const allowedOrigins = ['https://app.example'];

    expect(isServed({ host, origin: 'https://app.example' }, { allowedOrigins })).toBe(true);
    expect(isServed({ host, origin: 'http://app.example' }, { allowedOrigins })).toBe(false);
  });

  it('is not allowed by allowing every host', () => {
    expect(isServed({ host: 'x.example', origin: 'https://x.example' }, { allowedHosts: ['*'] })).toBe(false);
    expect(isServed({ host, origin: 'https://x.example' }, { allowedOrigins: ['*'] })).toBe(true);
  });
});
