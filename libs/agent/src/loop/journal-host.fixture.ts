/**
 * Provides a host that records its operations as a task does: a recorded operation is not repeated. It dies at an operation that a test
 * names, before, within or after it. Another host continues from the same journal.
 */
import type { AgentHost } from './agent-host.js';
import { answerSchemaQuestion, type SchemaAnswer } from './output-schema.js';

/** Values of operations by name and occurrence, as JSON. */
export type Journal = Map<string, string>;

export type Moment = 'before' | 'done but not recorded' | 'recorded';

export interface JournalHost extends AgentHost {
  /** Resolves when the host has died. */
  readonly dead: Promise<'dead'>;
  /** Operations that were begun and are not in the journal of an earlier host. */
  readonly newOperations: readonly string[];
}

/** @param deathAt the number of the unrecorded operation, from 1, at which the host dies */
export function journalHost(journal: Journal, deathAt?: { readonly operation: number; readonly moment: Moment }): JournalHost {
  const occurrences = new Map<string, number>();
  const newOperations: string[] = [];
  const death = Promise.withResolvers<'dead'>();
  let isDead = false;
  const keyOf = (name: string): string => {
    const occurrence = (occurrences.get(name) ?? 0) + 1;
    occurrences.set(name, occurrence);
    return `${name}#${occurrence}`;
  };
  const never = new Promise<never>(() => undefined);
  const die = (): Promise<never> => {
    isDead = true;
    death.resolve('dead');
    return never;
  };
  const operate = async (key: string, run: () => Promise<unknown>): Promise<unknown> => {
    const recorded = journal.get(key);
    if (recorded !== undefined) return (JSON.parse(recorded) as { value?: unknown }).value;
    if (isDead) return never;
    newOperations.push(key);
    const moment = deathAt?.operation === newOperations.length ? deathAt.moment : undefined;
    if (moment === 'before') return die();
    const value = await run();
    if (moment === 'done but not recorded') return die();
    // A host that has died since then records nothing.
    if (isDead) return never;
    journal.set(key, JSON.stringify({ value }));
    return moment === 'recorded' ? die() : (JSON.parse(JSON.stringify({ value })) as { value?: unknown }).value;
  };
  const { signal } = new AbortController();
  return {
    signal,
    dead: death.promise,
    newOperations,
    step: async <T>(name: string, body: (stepSignal: AbortSignal) => Promise<T>) => (await operate(keyOf(name), () => body(signal))) as T,
    check: async (name, question) => (await operate(keyOf(name), async () => answerSchemaQuestion(question))) as SchemaAnswer,
    sleep: async (name) => void (await operate(keyOf(name), async () => null)),
    now: () => {
      const key = keyOf('$now');
      if (!journal.has(key) && !isDead) journal.set(key, JSON.stringify({ value: 1_000_000 + journal.size * 7 }));
      return (JSON.parse(journal.get(key) ?? '{"value":0}') as { value: number }).value;
    },
    report: () => undefined,
  };
}
