import { describe, expect, it } from 'vitest';
import { codeIn2026, ownCodeIn2026 } from './error-codes.js';

describe('the code of an error', () => {
  it.each([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -32000, -32019, -32100, -1, 0, 404])(
    'is %d for clients of this revision as well',
    (code) => {
      expect(codeIn2026(code)).toBe(code);
    },
  );

  it('is -32602 for a resource that is not found', () => {
    expect(codeIn2026(-32002)).toBe(-32602);
  });

  it.each([-32042, -32023, -32050, -32099])('is -32603 instead of %d, which the specification keeps for itself', (code) => {
    expect(codeIn2026(code)).toBe(-32603);
  });

  it.each([1.5, Number.NaN, Infinity])('is -32603 instead of %d, which is no code', (code) => {
    expect(codeIn2026(code)).toBe(-32603);
  });
});

describe("the code of the gateway's own error", () => {
  it('is outside the range that JSON-RPC reserves where other revisions have -32000, which this one advises against', () => {
    expect(ownCodeIn2026(-32000)).toBe(-31000);
  });

  it('is otherwise the same as for a feature', () => {
    expect([-32002, -32603].map(ownCodeIn2026)).toEqual([-32602, -32603]);
  });
});
