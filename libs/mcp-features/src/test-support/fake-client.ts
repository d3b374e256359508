import type { JsonObject } from '@longhaul/tasks';
import type { ClientOperations } from '../authoring/client-context.js';

/** How the client answers, and what it declared. What is not given is answered with an error. */
export interface FakeAnswers extends Partial<Pick<ClientOperations, 'elicit' | 'sample' | 'listRoots'>> {
  readonly capabilities?: JsonObject;
}

/** A client that answers as the test says. */
export interface FakeClient extends ClientOperations {
  /** What it was told without being asked: the operation and its arguments. */
  readonly told: readonly (readonly unknown[])[];
}

/** What a feature can do towards a client, without a client. */
export function fakeClient({ capabilities = {}, ...answers }: FakeAnswers = {}): FakeClient {
  const told: (readonly unknown[])[] = [];
  const teller =
    (operation: string) =>
    (...args: readonly unknown[]): void => {
      told.push([operation, ...args]);
    };
  return {
    told,
    client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities },
    elicit: unanswered('elicit'),
    sample: unanswered('sample'),
    listRoots: unanswered('listRoots'),
    ...answers,
    progress: teller('progress'),
    log: teller('log'),
    elicitationComplete: teller('elicitationComplete'),
  };
}

function unanswered(operation: string) {
  return () => Promise.reject(new Error(`The test says no answer to ${operation}.`));
}
