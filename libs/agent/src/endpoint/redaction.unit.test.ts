import { describe, expect, it } from 'vitest';
import { redaction } from './redaction.js';

describe('A redaction', () => {
  it('hides secrets, also escaped and as a part of each other', () => {
    const redact = redaction(['sk-a"b/c', 'sk-a"b/c-longer', 'x']);

    expect(redact('sk-a"b/c-longer, {"k":"sk-a\\"b/c"}, ?k=sk-a%22b%2Fc, x')).toBe('[secret], {"k":"[secret]"}, ?k=[secret], x');
  });

  it('makes one line of bounded length', () => {
    const redact = redaction([]);

    expect(redact(' a\n\tb ')).toBe('a b');
    expect(redact('y'.repeat(10_000))).toHaveLength(501);
  });
});
