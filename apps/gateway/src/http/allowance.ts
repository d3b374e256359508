/**
 * Checks whether a caller's token allows a request. Only this module decides that, for all protocol versions, before anything is opened,
 * created or begun; a refusal names all scopes that the operation needs.
 */
import type { Principal } from '@longhaul/sessions/gateway';
import type { IncomingMessage } from 'node:http';
import type { Generation } from '@longhaul/tasks';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import type { Challenges } from '../rpc/challenges.js';
import { type RequestScopes, tasksNamedIn } from '../rpc/request-scopes.js';
import { holdsScopes } from '../rpc/scopes.js';
import type { ScopesOfTasks } from '../rpc/tasks/scoped-tasks.js';

/** The parts of the check. */
export interface AllowanceDeps {
  readonly requestScopes: Readonly<Record<Generation, RequestScopes>>;
  readonly scopesOfTasks: ScopesOfTasks;
  readonly challenges: Challenges;
}

/** Nothing for an allowed request; otherwise a promise that rejects with a Refusal 403. */
type Refused = Promise<never> | undefined;

/** Checks requests. */
export interface Allowance {
  /** @param generation that answers it */
  ofPost(raw: IncomingMessage, body: unknown, generation: Generation): Refused;
  ofGet(raw: IncomingMessage): Refused;
  ofDelete(raw: IncomingMessage): Refused;
}

export function createAllowance({ requestScopes, scopesOfTasks, challenges }: AllowanceDeps): Allowance {
  const refuse = async ({ owner }: Principal, needed: readonly string[], body: unknown): Promise<never> => {
    const ofTasks = await scopesOfTasks(tasksNamedIn(body), owner);
    throw challenges.insufficient([...new Set([...needed, ...ofTasks])]);
  };
  const look = (raw: IncomingMessage, scopesOf: () => readonly string[], body?: unknown): Refused => {
    const request = raw as AuthenticatedRequest;
    const { auth } = request;
    // Callers without a token, or with a static one, may do everything.
    if (auth?.scopes === undefined) return undefined;
    const needed = scopesOf();
    request.neededScopes = needed;
    return holdsScopes(auth, needed) ? undefined : refuse(auth, needed, body);
  };
  return {
    ofPost: (raw, body, generation) => look(raw, () => requestScopes[generation].ofBody(body), body),
    // Only sessions have these.
    ofGet: (raw) => look(raw, () => requestScopes['2025-11-25'].ofListening),
    ofDelete: (raw) => look(raw, () => requestScopes['2025-11-25'].ofAll),
  };
}
