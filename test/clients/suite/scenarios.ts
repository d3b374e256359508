/** What a client does in each scenario, and what it has to see. The clients' programs only report what they saw; it is judged here. */
import { isDeepStrictEqual } from 'node:util';
import type { Run } from './catalogue.ts';

/** A scenario: what it shows, in the words of the table, and what the client has to see. */
export interface Scenario {
  readonly shows: string;
  /** @returns whether this is what is there to be seen in the run */
  fits(seen: unknown, run: Run): boolean;
}

const exactly = (expected: unknown) => (seen: unknown) => isDeepStrictEqual(seen, expected);

/** Other features are listed as well. */
const listing = (names: readonly string[]) => (seen: unknown) =>
  Array.isArray(seen) && new Set(seen).size === seen.length && names.every((name) => seen.includes(name));

/** An object with just these members, each of which fits. */
const members = (fitting: Readonly<Record<string, (value: unknown) => boolean>>) => (seen: unknown) =>
  typeof seen === 'object' &&
  seen !== null &&
  isDeepStrictEqual(Object.keys(seen).sort(), Object.keys(fitting).sort()) &&
  Object.entries(seen).every(([name, value]) => fitting[name]?.(value));

const TOOLS = ['version', 'greet', 'add', 'count', 'ask', 'touch', 'deliver', 'linger', 'outlive'].map((name) => `suite-${name}`);

/** In the order in which they run: the last two kill gateways. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  list: { shows: 'the names of the tools', fits: listing(TOOLS) },
  version: { shows: 'that it speaks the version of the protocol that the run is about', fits: (seen, run) => seen === run.protocolVersion },
  call: { shows: 'the text of a tool', fits: exactly('Hello, Ada!') },
  structured: { shows: 'structured content', fits: exactly({ sum: 3 }) },
  progress: {
    shows: 'each report of a call, and its text',
    fits: exactly({
      reports: [
        [1, 3],
        [2, 3],
        [3, 3],
      ],
      text: 'Counted to 3.',
    }),
  },
  elicitation: {
    shows: 'a question within a call, which gets its answer',
    fits: exactly({ asked: 'What is your name?', text: 'Hello, Grace!' }),
  },
  sampling: {
    shows: 'a prompt for the model within a call, which gets its answer',
    fits: exactly({ asked: 'Say a word.', text: 'The model said: word' }),
  },
  resources: {
    shows: 'the list of resources, and one that is read',
    fits: members({ uris: listing(['suite://note', 'suite://watched']), text: exactly('A note.') }),
  },
  prompts: {
    shows: 'the list of prompts, and one that is filled in',
    fits: members({ names: listing(['suite-review']), text: exactly('Review this Rust code.') }),
  },
  completion: { shows: 'what an argument is completed to', fits: exactly(['PHP', 'Python']) },
  subscription: { shows: 'a notification of a resource that has changed', fits: exactly('suite://watched') },
  task: {
    shows: 'a task with a question, which is answered (by `tasks/update` in 2026-07-28), to its result',
    fits: members({ taskId: isId, asked: exactly('Which city?'), text: exactly('Delivered to Oslo.') }),
  },
  cancel: { shows: 'a task that is cancelled', fits: exactly('cancelled') },
  outlive: { shows: 'the result of a call or task though every gateway was killed in the middle', fits: exactly('Outlived the gateways.') },
  afterwards: { shows: 'the text of a tool in the same connection after that', fits: exactly('Hello, Ada!') },
};

function isId(seen: unknown): boolean {
  return typeof seen === 'string' && seen.length > 0;
}

/** A line of a client's program. */
export interface Line {
  readonly scenario: string;
  readonly seen?: unknown;
  /** Why the client cannot do that: a declaration of its program. */
  readonly unsupported?: string;
  readonly error?: string;
}

/** The judgement on one scenario. */
export interface Outcome {
  readonly scenario: string;
  readonly outcome: 'passed' | 'failed' | 'unsupported';
  /** Why, unless it has passed. */
  readonly detail?: string;
  /** What the client reported, if it has passed. */
  readonly seen?: unknown;
}

/** Judges what a program has printed: each scenario needs just one line. What is no line of a scenario is passed over. */
export function judge(output: string, run: Run, scenarios: Readonly<Record<string, Scenario>> = SCENARIOS): Outcome[] {
  const lines = output.split('\n').flatMap((text) => lineOf(text) ?? []);
  return Object.entries(scenarios).map(([scenario, { fits }]) => {
    const [line, ...more] = lines.filter((candidate) => candidate.scenario === scenario);
    if (line === undefined) return failed(scenario, 'the program ended before it');
    if (more.length > 0) return failed(scenario, 'the program reported it twice');
    if (line.unsupported !== undefined) return { scenario, outcome: 'unsupported', detail: line.unsupported };
    if (line.error !== undefined) return failed(scenario, line.error);
    return fits(line.seen, run) ? { scenario, outcome: 'passed', seen: line.seen } : failed(scenario, `saw ${JSON.stringify(line.seen)}`);
  });
}

function failed(scenario: string, detail: string): Outcome {
  return { scenario, outcome: 'failed', detail };
}

function lineOf(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'scenario' in value ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
