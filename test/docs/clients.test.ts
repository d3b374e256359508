/** docs/clients.md: each tolerance names a client with its version, a reason, and a test that exists. */
import { describe, expect, it } from 'vitest';
import { tableRows, textOf } from './documents.js';
import { missingTest } from './named-tests.js';

const rows = tableRows(textOf('docs/clients.md'));

describe('the list of tolerances', () => {
  it.each(rows)('names client, version, reason and test: %s', (tolerance, protocolVersion, client, reason, test) => {
    expect(tolerance).not.toBe('');
    expect(protocolVersion).toMatch(/^(2025-11-25|2026-07-28|both)$/);
    expect(client).toMatch(/\d+\.\d+/);
    expect(reason).not.toBe('');
    expect(missingTest(test ?? '')).toBeUndefined();
  });
});
