import { describe, expect, it } from 'vitest';
import { serverProblem } from './server-check.js';

const info = (version: string, policy: string): string =>
  `# Server\r\nredis_version:${version}\r\nos:Linux\r\n\r\n# Memory\r\nmaxmemory_policy:${policy}\r\nmem_allocator:jemalloc\r\n`;

describe('the check of the Redis server', () => {
  it('accepts Redis 7 and later without eviction', () => {
    expect(serverProblem(info('7.0.15', 'noeviction'))).toBeUndefined();
    expect(serverProblem(info('8.2.1', 'noeviction'))).toBeUndefined();
  });

  it('refuses an older Redis and names both versions', () => {
    expect(serverProblem(info('6.2.14', 'noeviction'))).toBe('Redis 6.2.14 is too old: Longhaul needs Redis 7 or later, or Valkey.');
  });

  it('refuses a server that may evict keys and says what to set', () => {
    expect(serverProblem(info('7.4.0', 'allkeys-lru'))).toContain('redis-cli CONFIG SET maxmemory-policy noeviction');
  });

  it('accepts a server that does not show its policy', () => {
    expect(serverProblem('redis_version:7.2.4\r\n')).toBeUndefined();
  });
});
