import { ACTIVE, escapeOf } from './printable.js';

/** How log lines are written. */
export type LogFormat = 'json' | 'pretty';

/** Where a logger writes: one call for each line. */
export interface LogDestination {
  write(line: string): void;
}

/**
 * Where a process logs: readable text if the setting or a terminal asks for it, otherwise JSON.
 *
 * @param format @defaultValue `pretty` on a terminal, otherwise `json`
 * @returns nothing for JSON on standard output, which is the default of a logger
 */
export async function logDestination(format: LogFormat = process.stdout.isTTY ? 'pretty' : 'json'): Promise<LogDestination | undefined> {
  if (format === 'json') return undefined;
  // The module is loaded only here, because deployments that collect logs do not need it.
  const { default: pretty } = await import('pino-pretty');
  // Lines are written synchronously, so that the last line of a process is not lost with it.
  const destination = pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', sync: true });
  return { write: (line) => void destination.write(escaped(line)) };
}

/** The line of JSON with texts such as \u009b in place of characters that a terminal obeys. They stay such texts when it is parsed. */
export function escaped(line: string): string {
  return line.replaceAll(ACTIVE, (character) => `\\${escapeOf(character)}`);
}
