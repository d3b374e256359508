/** Makes texts of servers fit for logs, clients and operators: without control characters, and without what the file keeps secret. */
import { knownTexts } from '../config/secret-text.js';
import { printable } from '@longhaul/runtime/printable';
import { firstCharacters } from '@longhaul/tasks/text';
import type { ServerConfig } from '../config/server-config.js';

/** Of a text about a failure. */
const MAX_CHARACTERS = 4_000;
/** The end of standard error that is shown. */
const STDERR_LINES = 10;
const STDERR_CHARACTERS = 2_000;
/** A shorter value is no secret, and may be a part of any word. */
const MIN_SECRET_CHARACTERS = 6;

/** The text without the values of the server's variables and headers, and without what variables stand for in its command or URL. */
export function shownText(text: string, config: ServerConfig): string {
  let shown = firstCharacters(printable(text), MAX_CHARACTERS);
  for (const secret of secretsOf(config)) shown = shown.replaceAll(secret, '***');
  return shown;
}

/** A line about a failure, with the end of the server's standard error below it. */
export function withStderr(line: string, stderr: string): string {
  const last = stderr.slice(-STDERR_CHARACTERS).trim();
  if (last === '') return line;
  const lines = last.split('\n').slice(-STDERR_LINES);
  return `${line}\nThe last lines of its standard error:\n${lines.map((each) => `  ${each}`).join('\n')}`;
}

/** The longest first: one may be a part of another. */
function secretsOf(config: ServerConfig): readonly string[] {
  const { shown } = config;
  const secret = config.kind === 'stdio' ? undefined : (config.auth ?? config.login)?.secret;
  const texts = config.kind === 'stdio' ? config.env : { ...config.headers, ...(secret !== undefined && { '': secret }) };
  const values = Object.values(texts).flatMap(knownTexts);
  // Without its scheme, such as Bearer.
  const parts = config.kind === 'stdio' ? [] : values.flatMap((value) => value.split(/\s+/));
  const written = config.kind === 'stdio' ? [config.command, ...config.args] : partsOf(config.url);
  return [...new Set([...values, ...parts, ...written.filter((part) => !shown.includes(part))])]
    .filter((value) => value.length >= MIN_SECRET_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
}

/** The URL, and what is between its delimiters. */
function partsOf(url: string): readonly string[] {
  return [url, ...url.split(/[/?&=#@:]/).flatMap((part) => [part, decoded(part)])];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // It is no encoded text.
  }
}
