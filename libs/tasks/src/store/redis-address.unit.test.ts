import { describe, expect, it } from 'vitest';
import { clusterAddress, redactedUrl } from './redis-address.js';

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

  it('has no database', () => {
    expect(() => clusterAddress('redis://a:7000/2')).toThrow('has no databases: leave out /2');
  });
});

describe('an address in a message', () => {
  it.each([
    ['redis://me:secret@a:7000/1?x=secret', 'redis://a:7000/1'],
    ['redis://me:secret@a:7000,redis://me:secret@b:7000', 'redis://a:7000,redis://b:7000'],
    ['redis://me:secret@a:7000,b:7000', 'redis://a:7000,b:7000'],
    ['redis://me:se,cret@a:7000', 'redis://a:7000'],
    ['redis://me:se,c/ret@a:7000,b:7000', 'redis://a:7000,b:7000'],
    ['redis://me:secret@a:port', 'redis://a:port'],
    ['/tmp/redis.sock?password=secret', '/tmp/redis.sock'],
  ])('has no password, query or user: %s', (url, shown) => {
    expect(redactedUrl(url)).toBe(shown);
  });
});
