import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './media-type.js';
import { pageTextOf, refuseBinaryType } from './page-text.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const textOf = (bytes: Uint8Array, contentType = ''): string => pageTextOf(bytes, mediaTypeOf(contentType)).text;
const isHtml = (text: string, contentType: string): boolean => pageTextOf(Buffer.from(text), mediaTypeOf(contentType)).isHtml;
const XHTML =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!-- <html> in a comment -->\n' +
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml">';

describe('the text of a page', () => {
  it.each<[string, Uint8Array, string]>([
    ['UTF-8 where nothing is said', Buffer.from('é€'), 'text/plain'],
    ['windows-1252 where it is no UTF-8', Buffer.from([0xe9, 0x80]), 'text/plain'],
    ['UTF-16 by its zeros', Buffer.from('é€<b>text</b>', 'utf16le'), 'text/plain'],
    ['UTF-16 by its zeros in HTML', utf16be('é€<b>text</b>'), 'text/html'],
    ['the charset of the header', Buffer.from([0xe9, 0x80]), 'text/html; charset="ISO-8859-1"'],
    ['the charset of the header, in any case', Buffer.from([0xe9, 0x80]), 'TEXT/HTML; CHARSET=Latin1'],
    ['the charset of the header before that of the page', Buffer.from('é€<meta charset=koi8-r>'), 'text/html; charset=utf-8'],
    ['the charset of the last header', Buffer.from([0xe9, 0x80]), 'text/plain; charset=utf-8, text/plain; charset=latin1'],
    ['a guess where the charset is unknown', Buffer.from('é€'), 'text/html; charset=klingon'],
    ['its byte order mark before the header', Buffer.from('\ufeffé€'), 'text/html; charset=latin1'],
    ['its byte order mark: UTF-16LE', Buffer.from('\ufeffé€', 'utf16le'), 'text/html; charset=utf-8'],
    ['its byte order mark: UTF-16BE', utf16be('\ufeffé€'), 'application/json'],
    ['its <meta>', latin1('<meta charset=windows-1252>\xe9\x80'), 'text/html'],
    ['its <meta>, without a type', latin1('<html><META http-equiv=Content-Type content="text/html; charset=iso-8859-1">\xe9\x80'), ''],
    ['its <meta>, in any type', latin1('<html><meta charset=latin1>\xe9\x80'), 'application/octet-stream'],
    ['its <meta> a little late', latin1(`<html>${' '.repeat(2_000)}<meta charset=latin1>\xe9\x80`), 'text/html'],
    ['UTF-8 where its <meta> says utf-16', Buffer.from('<meta charset=utf-16>é€'), 'text/html'],
    ['UTF-8 where its <meta> says unicode', Buffer.from('<meta charset=unicode>é€'), 'text/html'],
    ['its XML declaration', latin1('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9\x80</a>'), 'application/rss+xml'],
    ['its XML declaration in XHTML', latin1("<?xml version='1.0' encoding='ISO-8859-1'?><html>\xe9\x80"), 'application/xhtml+xml'],
    ['not a <meta> in XML', Buffer.from('<a><meta charset="koi8-r"/>é€</a>'), 'application/xhtml+xml'],
    ['not a <meta> in a comment', Buffer.from('<html><!-- <meta charset=koi8-r> -->é€'), 'text/html'],
    ['not a <meta> that comes too late', Buffer.from(`<html>${' '.repeat(4_096)}<meta charset=koi8-r>é€`), 'text/html'],
    ['not a text with charset= in it', Buffer.from('charset=koi8-r é€'), 'text/plain'],
    ['not a script with charset= in it', Buffer.from('<html><script>a = "charset=koi8-r"</script>é€'), 'text/html'],
    ['not an attribute of another element', Buffer.from('<html><a charset=koi8-r>é€'), 'text/html'],
    ['not a <meta> in JSON', Buffer.from('{"a":"<meta charset=koi8-r>é€"}'), 'application/json'],
  ])('is in %s', (_what, bytes, contentType) => {
    expect(textOf(bytes, contentType)).toMatch(/é€/);
  });

  it.each([
    ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['gb2312', Buffer.from([0xd6, 0xd0, 0xce, 0xc4]), '中文'],
    ['koi8-r', Buffer.from([0xcd, 0xc9, 0xd2]), 'мир'],
    ['x-sjis', Buffer.from([0x93, 0xfa]), '日'],
    ['iso-2022-jp', Buffer.from('\x1b$B6e\x1b(B', 'latin1'), '九'],
  ])('is decoded by the label %s', (label, bytes, text) => {
    expect(textOf(bytes, `text/plain; charset=${label}`)).toBe(text);
  });

  it('has no byte order mark', () => {
    expect(textOf(Buffer.from('\ufefftext'), 'text/plain')).toBe('text');
  });
});

describe('a page is HTML', () => {
  it.each([
    ['text/html', 'a text'],
    ['Text/HTML; Charset=UTF-8', 'a text'],
    ['application/xhtml+xml', XHTML],
    ['', 'a text'],
    ['nonsense', 'a text'],
    ['text/plain', '<html><body>'],
    ['text/plain', '\n<HTML lang="en">'],
    ['application/octet-stream', XHTML],
    ['text/xml', XHTML],
    ['text/plain', '\ufeff<!doctype html><title>x</title>'],
  ])('of the type %j: %s', (contentType, text) => {
    expect(isHtml(text, contentType)).toBe(true);
  });

  it.each([
    ['application/json', '{"a":"<html>"}'],
    ['text/plain', 'It begins with <html> here'],
    ['text/plain', `${' '.repeat(100)}<html>`],
    ['text/xml', '<rss><html></html></rss>'],
    ['text/plain', '<!-- without an end <html>'],
    ['text/markdown', '<htmlish>'],
  ])('but not of the type %j: %s', (contentType, text) => {
    expect(isHtml(text, contentType)).toBe(false);
  });
});

describe('what is no text', () => {
  const bytes = (...list: number[]): Buffer => Buffer.from(list);
  const PNG = Buffer.concat([bytes(0x89), latin1('PNG\r\n\x1a\n\0\0\0\rIHDR'), Buffer.alloc(20)]);

  it.each<[string, string, Uint8Array]>([
    ['application/pdf', '', latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj')],
    ['application/pdf', 'text/html', Buffer.from('%PDF-1.4\n1 0 obj << >> endobj')],
    ['application/zip', 'application/octet-stream', Buffer.concat([latin1('PK\x03\x04\x14\0\0\0\x08\0'), Buffer.alloc(30)])],
    ['application/gzip', 'text/plain', gzipSync('a text')],
    ['image/png', 'text/plain', PNG],
    ['image/png', 'text/html; charset=utf-8', PNG],
    ['image/gif', '', latin1('GIF89a\x01\0\x01\0\x80\0\0')],
  ])('is refused as %s, of the type %j', (name, contentType, content) => {
    expect(() => textOf(content, contentType)).toThrow(`it is binary data (${name}), which has no text to show`);
  });

  it('is refused by its type where nobody knows it', () => {
    const unknown = bytes(0, 1, 0x80, 255);
    expect(() => textOf(unknown, 'application/octet-stream')).toThrow('it is binary data (application/octet-stream), which');
    expect(() => textOf(unknown, 'text/plain')).toThrow('it is binary data, which');
  });

  it.each(['image/PNG', 'audio/mpeg', 'video/mp4', 'font/woff2', 'Application/PDF; x=y', 'application/zip'])(
    'is refused by the type %s alone',
    (contentType) => {
      expect(() => refuseBinaryType(mediaTypeOf(contentType))).toThrow('it is binary data');
    },
  );

  it.each(['image/svg+xml', 'text/plain', 'application/json', 'model/gltf+json', 'application/octet-stream', ''])(
    'may be a text by the type %j',
    (contentType) => {
      expect(() => refuseBinaryType(mediaTypeOf(contentType))).not.toThrow();
    },
  );

  it.each(['BM is how a bitmap begins, and this text', 'PK', 'GIF89a is a format', '\x1b[31mred\x1b[0m and \f'])(
    'is not a text such as %j',
    (text) => {
      expect(textOf(Buffer.from(text), 'text/plain')).toBe(text);
    },
  );
});
