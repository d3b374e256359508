import { connect, type ConnectOptions, type InputHandlers, type Target, type TaskClient } from '@longhaul/client';

/** The clients of one test file, closed after each test. */
export class Clients {
  readonly #clients: TaskClient[] = [];

  async connect(target: Target, options: ConnectOptions = {}): Promise<TaskClient> {
    const client = await connect(target, { retry: { attempts: 100, initialDelayMs: 20, maxDelayMs: 200 }, ...options });
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }
}

/** The generations, the newer one first. */
export const GENERATIONS = ['2026-07-28', '2025-11-25'] as const;

/** Makes the client an owner of its own, where servers ask nobody who they are. */
export const KNOWN_CALLER = { requestInit: { headers: { 'longhaul-caller-secret': 'a-secret-of-this-caller-alone-0001' } } };

/** What a client has to say it can do before a tool asks it. */
export const ASKABLE = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** A user who answers every form with a name. */
export function named(name: string): InputHandlers {
  return { elicitation: () => ({ action: 'accept', content: { name } }) };
}

/** The first text of a result. */
export function textOf({ content: [first] }: { readonly content: readonly object[] }): unknown {
  return first !== undefined && 'text' in first ? first.text : undefined;
}

/** What the promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to reject.');
}
