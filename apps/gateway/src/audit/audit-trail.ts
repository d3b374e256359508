/**
 * Records the actions of callers, and refused requests, in the audit log. The facts about a request accompany all work for it
 * (`AsyncLocalStorage`), so that all code that reads or changes a task finds the caller. Requests do not wait for records.
 */
import type { Principal } from '@longhaul/sessions/gateway';
import { firstCharacters } from '@longhaul/tasks/text';
import { AsyncLocalStorage } from 'node:async_hooks';
import { type AuditWriter, isJsonObject, type NewEntry } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import { firstOfEachSecond } from '../rpc/log-refusals.js';
import type { RefusedAnswer } from '../rpc/operation.js';

const MAX_CORRELATION_CHARS = 128;
const MAX_NAME_CHARS = 256;
/** Callers whose scopes are remembered, so that a token with more scopes is noticed. */
const REMEMBERED_CALLERS = 10_000;
const HTTP_REFUSALS: ReadonlySet<number> = new Set([401, 403, 429]);

/** The known facts about a request. */
interface RequestFacts {
  readonly raw: AuthenticatedRequest;
  readonly address: string;
  readonly correlation: string | undefined;
  method?: string;
  tool?: string;
  /** The task whose result was read last: repeated reads within a request are recorded once. */
  lastRead?: string;
}

/** The recorded facts, in addition to the facts about the request. */
export type TrailEntry = Pick<NewEntry, 'action' | 'target' | 'outcome'> &
  Partial<Pick<NewEntry, 'reason' | 'tool' | 'taskId' | 'details'>>;

export class AuditTrail {
  readonly #facts = new AsyncLocalStorage<RequestFacts>();
  readonly #scopes = new LRUCache<string, ReadonlySet<string>>({ max: REMEMBERED_CALLERS });
  /** Callers without a token can cause any number of refusals. */
  readonly #refusedStrangers = firstOfEachSecond((entry: TrailEntry, leftOut) =>
    this.#write(leftOut > 0 ? { ...entry, details: { leftOut } } : entry, undefined),
  );

  constructor(private readonly writer: Pick<AuditWriter, 'record'>) {}

  /** Makes the facts about each request of a scope available to all work for it. Must come before any hook that may refuse a request. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      const { raw, ip, headers } = request;
      const correlation = headers['traceparent'] ?? headers['x-request-id'];
      const facts = {
        raw,
        address: ip,
        correlation: typeof correlation === 'string' ? firstCharacters(correlation, MAX_CORRELATION_CHARS) : undefined,
      };
      this.#facts.run(facts, done);
    });
    app.addHook('preHandler', (request, _reply, done) => {
      const facts = this.#facts.getStore();
      if (facts !== undefined) Object.assign(facts, namesIn(request.body));
      if (facts?.raw.auth !== undefined) this.#noteScopes(facts.raw.auth);
      done();
    });
  }

  /** Records an action of the present request, or of the gateway itself. @param owner of the target */
  record(entry: TrailEntry, owner?: string): void {
    this.#write(entry, owner);
  }

  /** Records that the result of a task was given to its caller, once for a request. */
  readResult({ taskId, tool, owner }: { readonly taskId: string; readonly tool: string; readonly owner: string }): void {
    const facts = this.#facts.getStore();
    if (facts?.lastRead === taskId) return;
    if (facts !== undefined) facts.lastRead = taskId;
    this.#write({ action: 'result.read', target: taskId, taskId, tool, outcome: 'done' }, owner);
  }

  /** Records an answer that refuses the present request; ignores other answers. */
  refused({ httpStatus = 200, message }: Pick<RefusedAnswer, 'httpStatus' | 'message'>): void {
    if (!HTTP_REFUSALS.has(httpStatus)) return;
    const facts = this.#facts.getStore();
    const entry: TrailEntry = {
      action: 'request.refuse',
      target: facts?.tool ?? facts?.method ?? 'request',
      outcome: `HTTP_${httpStatus}`,
      reason: message,
    };
    if (facts?.raw.auth === undefined) this.#refusedStrangers(entry);
    else this.#write(entry, undefined);
  }

  #noteScopes({ owner, scopes }: Principal): void {
    if (scopes === undefined) return;
    const known = this.#scopes.get(owner);
    const added = known === undefined ? scopes : scopes.filter((scope) => !known.has(scope));
    if (added.length === 0) return;
    this.#scopes.set(owner, new Set([...(known ?? []), ...scopes]));
    if (known !== undefined)
      this.#write({ action: 'token.elevate', target: owner, outcome: 'done', details: { added: [...added] } }, owner);
  }

  #write(entry: TrailEntry, owner: string | undefined): void {
    const facts = this.#facts.getStore();
    const { auth, namelessOwner } = facts?.raw ?? {};
    const whose = owner ?? auth?.owner ?? namelessOwner;
    const { tenant, issuer, subject, client } = auth ?? {};
    const { method, tool, correlation, address } = facts ?? {};
    this.writer.record({
      reason: '',
      who: subject ?? whose ?? 'nobody',
      ...(tool !== undefined && { tool }),
      ...entry,
      ...((whose ?? address) !== undefined && {
        caller: {
          owner: whose ?? '',
          ...(tenant !== undefined && { tenant }),
          ...(issuer !== undefined && { issuer }),
          ...(subject !== undefined && { subject }),
          ...(client !== undefined && { client }),
          ...(address !== undefined && { address }),
        },
      }),
      ...(method !== undefined && { method }),
      ...(correlation !== undefined && { correlation }),
    });
  }
}

/** The method and target in the body of a POST; in a batch, the first ones. The body can be any JSON. */
function namesIn(body: unknown): { readonly method?: string; readonly tool?: string } {
  const message: unknown = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(message)) return {};
  const { method, params } = message;
  if (typeof method !== 'string') return { method: 'response' };
  const name = method === 'tools/call' && isJsonObject(params) ? params['name'] : undefined;
  return {
    method: firstCharacters(method, MAX_NAME_CHARS),
    ...(typeof name === 'string' && { tool: firstCharacters(name, MAX_NAME_CHARS) }),
  };
}
