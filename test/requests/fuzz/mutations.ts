/** Ways to spoil a JSON value, the text of one, and headers. All of them are data, so that a plan can be printed and repeated. */
import * as fc from 'fast-check';

/** A change somewhere in a JSON value. `at` and `n` choose the place, and wrap around. */
export interface JsonMutation {
  readonly kind: 'remove' | 'replace' | 'add' | 'wrap' | 'twist' | 'nest' | 'copy';
  readonly at: number;
  readonly key: string;
  readonly value: unknown;
  /** Position in a text, or depth. */
  readonly n: number;
}

/** A change of the bytes that are sent. */
export interface BytesMutation {
  readonly kind:
    | 'truncate'
    | 'insert'
    | 'delete'
    | 'duplicate-key'
    | 'bom'
    | 'trailing'
    | 'bad-utf8'
    | 'utf16'
    | 'latin1'
    | 'empty'
    | 'blank'
    | 'huge'
    | 'deep';
  readonly n: number;
}

/** A change of one header. */
export interface HeaderMutation {
  readonly kind: 'remove' | 'replace' | 'repeat' | 'upper-case';
  readonly name: string;
  readonly value: string;
}

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'method',
  'params',
  'result',
  'error',
  '_meta',
  'cursor',
  'taskId',
  'task',
  'name',
  '',
];
const NUMBERS = [0, -1, 1.5, -0, 1e308, 2 ** 53, 2 ** 63, -(2 ** 31), 1e-320];
const TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '🙂'.repeat(50),
  'x'.repeat(20_000),
  '../../etc/passwd',
  '{taskId}',
  '*',
  '2026-07-28',
  'tools/call',
  '__proto__',
  'null',
];

const odd = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { '': {} }, ...NUMBERS, ...TEXTS) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

export const jsonMutation: fc.Arbitrary<JsonMutation> = fc.record({
  kind: fc.constantFrom('remove', 'replace', 'replace', 'add', 'wrap', 'twist', 'twist', 'nest', 'copy'),
  at: fc.nat(1_000),
  key: fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 })),
  value: odd,
  n: fc.nat(300),
});

export const bytesMutation: fc.Arbitrary<BytesMutation> = fc.record({
  kind: fc.constantFrom<BytesMutation['kind']>(
    ...(['truncate', 'insert', 'delete', 'duplicate-key', 'duplicate-key', 'bom', 'trailing', 'bad-utf8', 'utf16', 'latin1'] as const),
    'empty',
    'blank',
    'huge',
    'deep',
  ),
  n: fc.nat(100_000),
});

const HEADERS = [
  'content-type',
  'accept',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
  'host',
  'origin',
  'content-encoding',
  'traceparent',
  'mcp-param-x',
];
const HEADER_VALUES = [
  '',
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON;',
  'text/plain',
  'text/event-stream',
  '*/*',
  'application/json, text/event-stream;q=0',

  '2025-11-25',
  '2025-03-26',
  '2026-07-28',
  '1900-01-01',
  'tools/call',
  'ping',
  '=?base64?QQ==?=',
  '=?base64?%%?=',
  'evil.example.com',
  'http://evil.example.com',

  'gzip',
  'identity',
  '100-continue',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'x'.repeat(4_000),
  '\u00e4\u00e5',
  ',',
  'null',
  '0',
  '_0',
  'a_b_c',
];

export const headerMutation: fc.Arbitrary<HeaderMutation> = fc.record({
  kind: fc.constantFrom('remove', 'remove', 'replace', 'replace', 'repeat', 'upper-case'),
  name: fc.constantFrom(...HEADERS),
  value: fc.constantFrom(...HEADER_VALUES),
});

/** The value with the change. The given one stays as it is. */
export function mutated(value: unknown, mutation: JsonMutation): unknown {
  const root = { root: structuredClone(value) };
  const places = placesIn(root);
  const inside = places.filter(({ depth }) => depth > 1);
  // What is around the params is soon tried out, and then nothing else matters.
  const choice = mutation.n % 4 > 0 && inside.length > 0 ? inside : places;
  const place = choice[mutation.at % choice.length];
  if (place !== undefined) changeAt(place, mutation);
  return root.root;
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
  readonly depth: number;
}

/** Every member and element, the root first. */
function placesIn(parent: Record<string, unknown>, depth = 0): Place[] {
  return Object.keys(parent).flatMap((key) => {
    const child = parent[key];
    const isParent = typeof child === 'object' && child !== null;
    return [{ parent, key, depth }, ...(isParent ? placesIn(child as Record<string, unknown>, depth + 1) : [])];
  });
}

function changeAt({ parent, key }: Place, { kind, key: name, value, n }: JsonMutation): void {
  const old = parent[key];
  const put = (changed: unknown): void => void (parent[key] = changed);
  if (kind === 'remove') return Array.isArray(parent) ? void parent.splice(Number(key), 1) : void delete parent[key];
  if (kind === 'replace') return put(value);
  if (kind === 'wrap') return put(n % 2 === 0 ? [old] : { [name]: old });
  if (kind === 'nest') return put(nested(n, old));
  if (kind === 'copy') return put(typeof old === 'object' && old !== null ? { ...old, [name]: old } : [old, old]);
  if (kind === 'twist' && typeof old === 'string') return put(twisted(old, n, name));
  if (typeof old === 'object' && old !== null && !Array.isArray(old))
    Object.defineProperty(old, name, { value, enumerable: true, configurable: true, writable: true });
  else put(value);
}

function nested(depth: number, value: unknown): unknown {
  return depth === 0 ? value : nested(depth - 1, depth % 2 === 0 ? [value] : { a: value });
}

/** An almost right text: ids, cursors and states with one thing wrong. */
function twisted(text: string, n: number, extra: string): string {
  const at = n % (text.length + 1);
  switch (n % 6) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    case 2:
      return text + extra;
    case 3:
      return text.toUpperCase();
    case 4:
      return ` ${text}`;
    default:
      return text.repeat(2);
  }
}

/** The bytes with the change. @param hugeBytes more than the server takes */
export function spoilt(text: string, { kind, n }: BytesMutation, hugeBytes: number): Buffer {
  const at = n % (text.length + 1);
  const rest = text.slice(at);
  const start = text.slice(0, at);
  const bytes: Record<BytesMutation['kind'], () => string | Buffer> = {
    truncate: () => start,
    insert: () => `${start}${'{}[]",:\\\u0000\n1e'.charAt(n % 12)}${rest}`,
    delete: () => start + rest.slice(1 + (n % 5)),
    'duplicate-key': () =>
      text.replace(
        '{',
        `{${['"id":7', '"method":"ping"', '"params":{}', '"jsonrpc":"1.0"', '"_meta":{}', '"__proto__":{"id":1}'][n % 6]},`,
      ),
    bom: () => `\ufeff${text}`,
    trailing: () => text + ['\n', '{}', ',', '\0'][n % 4],
    'bad-utf8': () => Buffer.concat([Buffer.from(start), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from(rest)]),
    utf16: () => Buffer.from(text, 'utf16le'),
    latin1: () => Buffer.from(text.replace(/[a-z]/, 'ä'), 'latin1'),
    empty: () => '',
    blank: () => ' \n\t',
    deep: () => text.replace(/}$/, `,"deep":${'['.repeat(n)}${']'.repeat(n)}}`),
    huge: () => `{"x":"${'x'.repeat(hugeBytes)}"}`,
  };
  return Buffer.from(bytes[kind]());
}

/** The headers with the change, as names and values in turn, so that one may be there twice. */
export function withHeader(headers: readonly (readonly [string, string])[], { kind, name, value }: HeaderMutation): [string, string][] {
  const others = headers.filter(([other]) => other !== name).map(([other, text]): [string, string] => [other, text]);
  const old = headers.find(([other]) => other === name)?.[1];
  if (kind === 'remove') return others;
  if (kind === 'replace' || old === undefined) return [...others, [name, value]];
  if (kind === 'repeat') return [...others, [name, old], [name, value]];
  return [...others, [name.toUpperCase(), old.toUpperCase()]];
}
