import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.js';

describe('settings of Fetch', () => {
  it('have defaults', () => {
    expect(readSettings({})).toEqual({
      ignoreRobots: false,
      allowPrivate: false,
      privateNetworks: [],
      maxBytes: 10 * 1024 * 1024,
      maxHtmlBytes: 2 * 1024 * 1024,
    });
  });

  it('are read', () => {
    expect(
      readSettings({
        LONGHAUL_FETCH_USER_AGENT: 'MyBot',
        LONGHAUL_FETCH_IGNORE_ROBOTS: '1',
        LONGHAUL_FETCH_ALLOW_PRIVATE: '1',
        LONGHAUL_FETCH_PROXY_URL: 'http://proxy:3128',
        LONGHAUL_FETCH_MAX_BYTES: '5',
        LONGHAUL_FETCH_MAX_HTML_BYTES: '4',
      }),
    ).toEqual({
      userAgent: 'MyBot',
      ignoreRobots: true,
      allowPrivate: true,
      privateNetworks: [],
      proxyUrl: 'http://proxy:3128',
      maxBytes: 5,
      maxHtmlBytes: 4,
    });
  });

  it.each(['203.0.113.0/33', 'inside.example.com'])('refuse %s as a network that counts as private', (text) => {
    expect(() => readSettings({ LONGHAUL_PRIVATE_NETWORKS: text })).toThrow(/LONGHAUL_PRIVATE_NETWORKS=.*must be addresses or ranges/);
  });

  it.each([
    ['socks://127.0.0.1:2080', 'socks5://127.0.0.1:2080'],
    ['SOCKS://127.0.0.1:2080', 'socks5://127.0.0.1:2080'],
    ['socks5://127.0.0.1:2080', 'socks5://127.0.0.1:2080'],
    ['https://proxy.example.com', 'https://proxy.example.com'],
  ])('take a proxy %s as %s', (given, expected) => {
    expect(readSettings({ LONGHAUL_FETCH_PROXY_URL: given }).proxyUrl).toBe(expected);
  });

  it.each(['ftp://ada:hush@proxy.example.com', 'proxy'])(
    'are refused without the value when the proxy is %s, which may hold a password',
    (url) => {
      expect(() => readSettings({ LONGHAUL_FETCH_PROXY_URL: url })).toThrow(
        /^LONGHAUL_FETCH_PROXY_URL: must be an http, https or socks5 URL$/,
      );
    },
  );

  it.each([
    ['LONGHAUL_FETCH_USER_AGENT', 'a\nb', 'must be 1 to 256 ASCII characters'],
    ['LONGHAUL_FETCH_MAX_BYTES', '0', 'must be a whole number from 1 to 104857600'],
    ['LONGHAUL_FETCH_MAX_HTML_BYTES', '10485761', 'must be a whole number from 1 to 10485760'],
    ['LONGHAUL_FETCH_ALLOW_PRIVATE', 'yes', 'must be 0 or 1'],
  ])('are refused when %s is %j', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name}=${value}: ${message}`);
  });
});
