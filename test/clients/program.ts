/** What the programs of all clients have in common: what they are given, and how they report what they saw. */
import { argv, exit, stdout } from 'node:process';
import { converse, type ModelsClient } from './manners/model.ts';

/** What a client's program is given, as JSON in its only argument. */
export interface Assignment {
  readonly protocolVersion: '2025-11-25' | '2026-07-28';
  /** The endpoint; with `stdio`, the server's command instead. */
  readonly url?: string;
  readonly stdio?: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
  /** The long scenarios in place of all others: for whom a tool works, and for how long. */
  readonly long?: { readonly who: string; readonly ms: number };
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

/** Longer than any client of the suite waits. */
const LONG_LIMIT_MS = 400_000;

/** How long a model lets pass before it asks again. */
const PAUSE_MS = 5_000;

export function unsupported(reason: string): Unsupported {
  return { unsupported: reason };
}

/**
 * Plays the scenarios one after the other, or the long ones at the same time, prints a line of JSON for each, and ends the program.
 *
 * @param client for the model of the long scenarios
 */
export async function play(
  scenarios: Readonly<Record<string, Play | Unsupported>>,
  client: () => Promise<LongClient>,
  close: () => Promise<unknown>,
): Promise<never> {
  const { long } = assignment;
  if (long === undefined) for (const [scenario, played] of Object.entries(scenarios)) report(scenario, await outcomeOf(played, LIMIT_MS));
  else await playLong(await client(), long);
  await Promise.race([close(), limit(LIMIT_MS)]).catch((error: unknown) => stdout.write(`While closing: ${String(error)}\n`));
  exit();
}

/** What the user says when the model asks. */
const ANSWERS = { city: 'Oslo' };

/** The client of the long scenarios. */
interface LongClient extends Omit<ModelsClient, 'answers'> {
  /** It does not know which question is of which call, so only one call may wait. */
  readonly isOneAtATime?: boolean;
  /** Why it gets no result of a tool that asks something. */
  readonly question?: Unsupported | undefined;
}

/** The tools of the long scenarios, as `features.ts` calls them. */
const LONG_TOOLS = { long: 'suite-long', question: 'suite-long-ask' };

async function playLong(client: LongClient, args: { readonly who: string; readonly ms: number }): Promise<void> {
  const answering = Object.assign(client, { answers: ANSWERS });
  let before: Promise<void> = Promise.resolve();
  const played = Object.entries(LONG_TOOLS).map(([scenario, tool]) => {
    const conversation = () => converse(answering, { tool, args: { ...args, who: `${scenario} ${args.who}` } }, PAUSE_MS);
    const lacking = scenario === 'question' ? client.question : undefined;
    const one = async () => report(scenario, await outcomeOf(lacking ?? conversation, LONG_LIMIT_MS));
    return client.isOneAtATime === true ? (before = before.then(one)) : one();
  });
  await Promise.all(played);
}

function report(scenario: string, outcome: object): void {
  stdout.write(`${JSON.stringify({ scenario, ...outcome })}\n`);
}

async function outcomeOf(played: Play | Unsupported, limitMs: number): Promise<object> {
  if (typeof played !== 'function') return played;
  try {
    return { seen: await Promise.race([played(), limit(limitMs)]) };
  } catch (error) {
    return { error: String(error) };
  }
}

function limit(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`nothing after ${ms / 1_000} s`)), ms).unref();
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
