import { describe, expect, it } from 'vitest';
import { clusterAddress, redactedUrl, requireReadable } from './address.js';
import { splitTlsFiles } from './tls.js';

describe('the address of a cluster', () => {
  it('is one node or several, with user, password and TLS of the first', () => {
    expect(clusterAddress('redis://10.0.0.1')).toEqual({ seeds: [{ host: '10.0.0.1', port: 6379 }], tls: false });
    expect(clusterAddress('rediss://me:p%40ss@a:7000, b:7001,rediss://[::1]:7002/0')).toEqual({
      seeds: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 7001 },
        { host: '::1', port: 7002 },
      ],
      username: 'me',
      password: 'p@ss',
      tls: true,
    });
  });

  it.each(['unix:///tmp/redis.sock', '/tmp/redis.sock', 'redis://', 'redis://a:7000,', 'redis://a:x'])('is not %s', (url) => {
    expect(() => clusterAddress(url)).toThrow(/^A Redis Cluster is reached at redis:\/\/ or rediss:\/\/ addresses only, not at/);
  });

  it('names files for TLS with its first node, for all of them', () => {
    const address = clusterAddress('rediss://a:7000?ca=/tls/ca.pem&cert=/tls/me.pem&key=/tls/me.key,b:7001');
    expect(address).toEqual({
      seeds: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 7001 },
      ],
      tls: true,
      tlsFiles: { ca: '/tls/ca.pem', cert: '/tls/me.pem', key: '/tls/me.key' },
    });
  });

  it('has no database', () => {
    expect(() => clusterAddress('redis://a:7000/2')).toThrow('has no databases: leave out the path');
  });
});

describe('an address in a message', () => {
  it.each([
    ['redis://me:secret@a:7000/1?x=secret', 'redis://a:7000/1'],
    ['redis://me:secret@a:7000,redis://me:secret@b:7000', 'redis://a:7000,redis://b:7000'],
    ['redis://me:secret@a:7000,b:7000', 'redis://a:7000,b:7000'],
    ['redis://me:se,cret@a:7000', 'redis://a:7000'],
    ['redis://me:se,c/ret@a:7000,b:7000', 'redis://a:7000,b:7000'],
    ['redis://me:secret@[::1]:7000/2', 'redis://[::1]:7000/2'],
    ['redis://a:7000?password=secret', 'redis://a:7000'],
    ['redis://user:12/34@a:7000', 'redis://a:7000'],
    ['redis://me:sec@ret@a:7000', 'redis://a:7000'],
    ['/tmp/redis.sock?password=secret', '/tmp/redis.sock'],
    ['unix:///tmp/redis.sock?password=se@cret', 'unix:///tmp/redis.sock'],
  ])('has no password, query or user: %s', (url, shown) => {
    expect(redactedUrl(url)).toBe(shown);
  });

  it.each([
    'redis://me:sec?ret@a:7000',
    'redis://me:sec#ret@a:7000',
    'redis://a:7000?password=se@cret',
    'redis://:secret',
    'redis://a:secret',
    'rediss://a:7000/secret',
    'redis://a:7000,b:secret',
    'redis://me:secret@',
    'redis//me:secret@a:7000',
    'me:secret@a:7000',
    'http://me:secret@a:7000',
    'unix://me:secret@/tmp/redis.sock',
    'secret',
    '',
  ])('has nothing that may be part of a password when it cannot be read: %j', (url) => {
    expect(redactedUrl(url)).toBe('***');
  });
});

describe('a % in an address', () => {
  it.each(['redis://me:p%ss@a', 'redis://me:100%@a', 'redis://a?password=%', 'redis://me:%ff@a'])('has to be escaped: %s', (url) => {
    expect(() => requireReadable(url)).toThrow(/^REDIS_URL has a % .* as %25\.$/);
  });

  it('may begin an escape', () => {
    expect(() => requireReadable('redis://me:100%25%40@a')).not.toThrow();
  });
});

describe('a database or a port', () => {
  it.each(['redis://me:pass@a:6379/word', 'redis://a/1x', 'rediss://a/0/1'])('of an address is a number: %s', (url) => {
    expect(() => requireReadable(url)).toThrow('REDIS_URL has something after its host that is not the number of a database, such as /0.');
  });

  it('is no larger than ports are', () => {
    expect(() => requireReadable('redis://a:99999')).toThrow('REDIS_URL has the port 99999: it must be a number from 1 to 65535.');
  });

  it.each([
    'redis://a',
    'redis://a/',
    'redis://a:7000/3',
    'redis://:p/x@a:7000/3',
    'redis://[::1]:7000',
    'unix:///tmp/a',
    '/tmp/a',
    'redis://a:1,b:2',
  ])('may be left out: %s', (url) => {
    expect(() => requireReadable(url)).not.toThrow();
  });
});

describe('the files for TLS that an address names', () => {
  it('are taken out of it, and nothing else is', () => {
    expect(splitTlsFiles('rediss://me:p%3Fss@a:7000/0?ca=%2Ftls%2Fca.pem&family=6')).toEqual({
      url: 'rediss://me:p%3Fss@a:7000/0?family=6',
      files: { ca: '/tls/ca.pem' },
    });
    for (const url of ['rediss://a', 'redis://a?family=6', 'unix:///a?ca=1', '/a?ca=1']) expect(splitTlsFiles(url)).toEqual({ url });
  });

  it.each([
    ['redis://a?ca=/nowhere', 'REDIS_URL names files for TLS at an address without TLS'],
    ['rediss://a?ca=/nowhere', 'REDIS_URL names ca=/nowhere, which cannot be read: ENOENT'],
    ['rediss://a?cert=/nowhere', 'REDIS_URL names cert or key without the other one'],
    [`rediss://a?ca=${import.meta.filename}`, 'REDIS_URL names files that TLS cannot use (ca): '],
  ])('are refused in one line: %s', (url, line) => {
    expect(() => requireReadable(url)).toThrow(line);
  });
});
