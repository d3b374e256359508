/** What the programs of all clients have in common: what they are given, and how they report what they saw. */
import { argv, exit, stdout } from 'node:process';

/** What a client's program is given, as JSON in its only argument. */
export interface Assignment {
  readonly protocolVersion: '2025-11-25' | '2026-07-28';
  /** The endpoint; with `stdio`, the server's command instead. */
  readonly url?: string;
  readonly stdio?: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
}

export const assignment = JSON.parse(argv[2] ?? '{}') as Assignment;
export const isModern = assignment.protocolVersion === '2026-07-28';

/** A declaration that the client has nothing for a scenario, and what it lacks. */
export interface Unsupported {
  readonly unsupported: string;
}

/** Does one scenario and returns what was seen of it. */
export type Play = () => Promise<unknown>;

const LIMIT_MS = 30_000;

export function unsupported(reason: string): Unsupported {
  return { unsupported: reason };
}

/** Plays the scenarios one after the other, prints a line of JSON for each, and ends the program. */
export async function play(scenarios: Readonly<Record<string, Play | Unsupported>>, close: () => Promise<unknown>): Promise<never> {
  for (const [scenario, played] of Object.entries(scenarios)) {
    const outcome = typeof played === 'function' ? await tried(played) : played;
    stdout.write(`${JSON.stringify({ scenario, ...outcome })}\n`);
  }
  await Promise.race([close(), limit()]).catch((error: unknown) => stdout.write(`While closing: ${String(error)}\n`));
  exit();
}

async function tried(played: Play): Promise<object> {
  try {
    return { seen: await Promise.race([played(), limit()]) };
  } catch (error) {
    return { error: String(error) };
  }
}

function limit(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`nothing after ${LIMIT_MS / 1_000} s`)), LIMIT_MS).unref();
  });
}

/** A value that comes from elsewhere. */
export function later<T>(): { readonly value: Promise<T>; readonly set: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { value: promise, set: resolve };
}

/** The first text of a result, message or content. */
export function textOf(value: unknown): string {
  const { text, content } = value as { readonly text?: string; readonly content?: unknown };
  if (text !== undefined) return text;
  return textOf(Array.isArray(content) ? content[0] : content);
}
