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

/** C1 control characters, which terminals obey too, and marks that turn the direction of writing. JSON has them as they are. */
const ACTIVE = /[\u0080-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** The line of JSON with texts such as \u009b in place of such characters. */
export function escaped(line: string): string {
  return line.replaceAll(ACTIVE, (character) => `\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
