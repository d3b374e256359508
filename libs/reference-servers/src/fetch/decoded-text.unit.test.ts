import { describe, expect, it } from 'vitest';
import { decodedText } from './decoded-text.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('the text of a page', () => {
  it.each<[string, Uint8Array, string]>([
    ['is UTF-8 unless something else is said', Buffer.from('é'), 'text/html'],
    ['is in the charset of the content type', latin1('é'), 'text/html; charset="ISO-8859-1"'],
    ['is UTF-8 where the charset is unknown', Buffer.from('é'), 'text/html; charset=klingon'],
    ['is in the encoding of its byte order mark', Buffer.from('\uFEFFé', 'utf16le'), 'text/html; charset=utf-8'],
    ['has no byte order mark', Buffer.from('\uFEFFé'), 'text/plain'],
  ])('%s', (_what, bytes, contentType) => {
    expect(decodedText(bytes, contentType)).toBe('é');
  });

  it('is in the charset that the page names', () => {
    expect(decodedText(latin1('<meta charset=latin1><p>é'), 'text/html')).toContain('é');
    expect(decodedText(latin1('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>é'), '')).toContain('é');
    expect(decodedText(Buffer.from(`${' '.repeat(1_024)}<meta charset=latin1>é`), '')).toContain('é');
  });
});
