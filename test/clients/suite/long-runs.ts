/**
 * Has all clients call a slow tool at the same time, each with its defaults: the clients of the catalogue by their programs, and those that
 * cannot run here by their manners. Each is a caller of its own, at one deployment over HTTP, or at a server that it starts.
 */
import { openHttp } from '../manners/http-wire.ts';
import type { Manner } from '../manners/manner.ts';
import type { Arrival } from '../manners/model.ts';
import { type Outcome as Played, play } from '../manners/play.ts';
import { openStdio, type ServerCommand } from '../manners/stdio-wire.ts';
import { startRoundRobin } from '../../support/round-robin.ts';
import type { Run, SuiteClient } from './catalogue.ts';
import type { Control } from './control.ts';
import { runProgram } from './run-program.ts';
import type { Outcome, Scenario } from './scenarios.ts';

/** The tools that are called, by the names of the scenarios. */
const LONG_TOOLS = { long: 'suite-long', question: 'suite-long-ask' } as const;

/** How many clients start at once: what they start takes the time of a machine's cores. */
const LANES = 2;

/** What a user sees of one call. */
export interface Seen {
  readonly text: string;
  readonly arrival: Arrival;
  readonly called: readonly string[];
  readonly isKeptByProgress?: boolean;
  /** Present where the client itself has asked its user. */
  readonly asked?: readonly string[];
}

/** A client of one of both kinds. */
export type LongClient =
  | { readonly client: SuiteClient; readonly run: Run; readonly command: readonly [string, ...string[]] }
  | { readonly manner: Manner; readonly transport: 'http' | 'stdio' };

/** What came of it. */
export interface LongResult {
  readonly of: LongClient;
  readonly outcomes: readonly Outcome[];
}

/** Where the clients find their servers. */
export interface Place {
  /** The gateways. */
  readonly targets: readonly string[];
  /** The token of a caller, by its number. */
  tokenOf(index: number): string;
  /** The command of a server of its own. */
  stdioOf(index: number): ServerCommand & { readonly args: string[]; readonly env: Record<string, string> };
  /** The command of a program between the client and the endpoint. */
  bridge(program: string, url: string): { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
  /** The file that gets what the servers of played clients log. */
  readonly log: number;
  readonly control: Control;
  readonly workMs: number;
  readonly signal: AbortSignal;
}

/** The name by which the work for a client is counted. */
export function nameOf(of: LongClient): string {
  return 'client' in of ? `${of.client.name} ${of.run.transport} ${of.run.protocolVersion}` : `${of.manner.title} ${of.transport}`;
}

/** @param onResult called as soon as there is one */
export async function runLong(clients: readonly LongClient[], place: Place, onResult: (result: LongResult) => void): Promise<LongResult[]> {
  const results: Promise<LongResult>[] = [];
  const left = clients.entries();
  const lane = async (): Promise<void> => {
    for (const [index, of] of left) {
      const ended = runOne(of, index, place).then((outcomes) => {
        onResult({ of, outcomes });
        return { of, outcomes };
      });
      results.push(ended);
      await Promise.race([ended, place.control.untilBegun(`long ${nameOf(of)}`)]);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return Promise.all(results);
}

async function runOne(of: LongClient, index: number, place: Place): Promise<Outcome[]> {
  const who = nameOf(of);
  const proxy = await startRoundRobin(place.targets, { authorization: `Bearer ${place.tokenOf(index)}` });
  try {
    const outcomes = 'client' in of ? await runClient(of, index, proxy.url, place) : await playManner(of, index, proxy.url, place);
    return outcomes.map((outcome) => onceOnly(outcome, who, place.control));
  } finally {
    await proxy.close();
  }
}

async function runClient(of: Extract<LongClient, { client: SuiteClient }>, index: number, url: string, place: Place): Promise<Outcome[]> {
  const { client, run, command } = of;
  const who = nameOf(of);
  const stdio = run.transport === 'stdio' ? place.stdioOf(index) : client.proxy && place.bridge(client.proxy, url);
  const { protocolVersion } = run;
  const assignment = { protocolVersion, long: { who, ms: place.workMs }, ...(stdio ? { stdio } : { url }) };
  const program = runProgram(client, run, command, assignment, scenariosFor(who));
  const end = (): void => program.end();
  place.signal.addEventListener('abort', end, { once: true });
  return program.outcomes.finally(() => place.signal.removeEventListener('abort', end));
}

async function playManner(of: Extract<LongClient, { manner: Manner }>, index: number, url: string, place: Place): Promise<Outcome[]> {
  const { manner, transport } = of;
  const who = nameOf(of);
  const wire = (onMessage: Parameters<typeof openStdio>[1]) =>
    transport === 'stdio' ? openStdio({ ...place.stdioOf(index), log: place.log }, onMessage) : openHttp(url, manner, onMessage);
  const scenarios = scenariosFor(who);
  return Promise.all(
    Object.entries(LONG_TOOLS).map(async ([scenario, tool]): Promise<Outcome> => {
      try {
        const args = { who: `${scenario} ${who}`, ms: place.workMs };
        const seen: Played = await play(manner, wire, 1, { tool, args }, { city: 'Oslo' });
        const isRight = scenarios[scenario]?.fits(seen, { transport, protocolVersion: '2025-11-25' }) === true;
        return isRight ? { scenario, outcome: 'passed', seen } : { scenario, outcome: 'failed', detail: `saw ${JSON.stringify(seen)}` };
      } catch (error) {
        return { scenario, outcome: 'failed', detail: String(error) };
      }
    }),
  );
}

function scenariosFor(who: string): Readonly<Record<string, Scenario>> {
  return {
    long: { shows: 'the result of a tool of 100 s', fits: (seen) => says(seen, `long ${who}`) },
    question: {
      shows: 'the result of a tool of 100 s that asks something in the middle',
      fits: (seen) => says(seen, `question ${who} in Oslo`),
    },
  };
}

/** Some clients give their model only the structured content of a result. */
function says(seen: unknown, done: string): boolean {
  const text = textOf(seen);
  return (
    text === `Done for ${done}.` ||
    (typeof text === 'string' && text.replaceAll(/\s/g, '') === JSON.stringify({ done }).replaceAll(/\s/g, ''))
  );
}

function textOf(seen: unknown): unknown {
  return typeof seen === 'object' && seen !== null && 'text' in seen ? seen.text : undefined;
}

/** A result for which the work was done twice is none. */
function onceOnly(outcome: Outcome, who: string, { begun }: Control): Outcome {
  const times = begun.get(`${outcome.scenario} ${who}`) ?? 0;
  if (outcome.outcome !== 'passed' || times === 1) return outcome;
  return { scenario: outcome.scenario, outcome: 'failed', detail: `the work has begun ${times} times` };
}
