/** Makes `Mcp-Param-*` headers from arguments that the tool's schema marks with `x-mcp-header`, for proxies that route by them. */
import { isObject } from '../wire/usable-parts.js';

const PREFIX = '=?base64?';
const SUFFIX = '?=';

/** The headers for a call of a tool with this input schema. Marks are found along chains of `properties` only. */
export function paramHeaders(inputSchema: unknown, args: unknown): Record<string, string> {
  if (!isObject(inputSchema) || !isObject(inputSchema['properties'])) return {};
  const headers: Record<string, string> = {};
  for (const [name, property] of Object.entries(inputSchema['properties'])) {
    const value = isObject(args) ? args[name] : undefined;
    const header = isObject(property) ? property['x-mcp-header'] : undefined;
    const text = textOf(value);
    if (typeof header === 'string' && text !== undefined) headers[`Mcp-Param-${header}`] = encode(text);
    Object.assign(headers, paramHeaders(property, value));
  }
  return headers;
}

/** Only these types can be marked. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A value that a header cannot carry, or that looks like encoded text, is encoded. */
function encode(text: string): string {
  const isPlain = /^[\t\u0020-\u007e]+$/.test(text) && text === text.trim() && !(text.startsWith(PREFIX) && text.endsWith(SUFFIX));
  if (isPlain) return text;
  return PREFIX + btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join('')) + SUFFIX;
}
