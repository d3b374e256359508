/**
 * Lets a feature that runs within a request ask its client. This revision has no requests from the server: the answer contains the
 * questions, and the client repeats its request with the answers. So the feature runs again from its start, receives the known answers, and
 * gets further each time. Everything that it did before a question, it does again; work that must not be repeated belongs in a durable
 * tool.
 */
import { askedAgain, type JsonObject, TaskError } from '@longhaul/tasks';
import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { ProtocolError } from '@modelcontextprotocol/server';
import { RpcCode } from '../../rpc/errors.js';
import type { Call, ClientRequest } from '../../rpc/method.js';
import { answerOrReason, canBeAsked, type InputRequests, inputRequest } from './input-requests.js';
import type { RequestCall } from '../requests/request-call.js';
import type { RoundState, StateSeal } from './sealed-state.js';
import { urlsToOpen } from './url-rounds.js';

/** The answer to a request that needs more from the client. Without requests, it only asks the client to repeat its request. */
export interface InputRequired extends Result {
  readonly resultType: 'input_required';
  readonly inputRequests?: InputRequests;
  readonly requestState: string;
}

const SHORT_NAMES: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicit',
  'sampling/createMessage': 'sample',
  'roots/list': 'roots',
};

/** Reads what the client has sent back with its request. @throws ProtocolError -32602 for the state of another call */
export function openRound({ call, round }: RequestCall, seal: StateSeal): RoundState {
  const { requestState } = round;
  if (requestState === undefined) return { answers: {} };
  const state = typeof requestState === 'string' ? seal.open(requestState, sealedFor(call)) : undefined;
  if (state === undefined)
    throw new ProtocolError(RpcCode.InvalidParams, 'Invalid or expired requestState', { reason: 'invalid_request_state' });
  return state;
}

/** Runs a feature until it has ended, or needs answers that the client has not given. */
export async function inRounds<T extends object>(
  request: RequestCall,
  seal: StateSeal,
  run: (call: Call) => Promise<T> | T,
): Promise<T | InputRequired> {
  const { call, round } = request;
  const state = openRound(request, seal);
  const rounds = new Rounds(state.answers, round.inputResponses);
  const ended = new AbortController();
  const signal = AbortSignal.any([call.scope.signal, ended.signal]);
  const { scope } = call;
  const running = (async () =>
    run({
      ...call,
      scope: {
        signal,
        get isCancelled() {
          return scope.isCancelled;
        },
        push: (message) => scope.push(message),
      },
      ask: (asked) => rounds.ask(asked),
    }))();
  try {
    const asked = await Promise.race([running, rounds.isStuck]);
    if (asked !== STUCK) return asked;
  } catch (error) {
    const { inputRequests, opening } = urlsToOpen(error, request, state);
    return inputRequired(inputRequests, { answers: rounds.answers, opening }, { seal, call });
  }
  // The feature runs again from its start, so the rest of this run is ignored.
  running.catch(() => undefined);
  ended.abort(new Error('The feature waits for its client, and is run again when that answers.'));
  return inputRequired(rounds.pending, { answers: rounds.answers }, { seal, call });
}

/**
 * The answer that contains the questions.
 *
 * @param leastMs how long the client may wait with its answer, if that is known
 */
export function inputRequired(
  inputRequests: InputRequests,
  state: RoundState,
  { seal, call, leastMs }: { readonly seal: StateSeal; readonly call: Call; readonly leastMs?: number | undefined },
): InputRequired {
  const requestState = seal.seal(state, sealedFor(call), leastMs);
  return { resultType: 'input_required', ...(Object.keys(inputRequests).length > 0 && { inputRequests }), requestState };
}

function sealedFor({ caller, method, params = {} }: Call) {
  return { owner: caller.owner, method, params };
}

const STUCK = Symbol('stuck');

/** The questions of one run of a feature. */
class Rounds {
  readonly pending: InputRequests = {};
  /** Resolves when the feature has asked a question without a known answer. */
  readonly isStuck: Promise<typeof STUCK>;
  readonly #asked = new Set<string>();
  readonly #counts = new Map<string, number>();
  #stick: () => void = () => undefined;

  constructor(
    /** The client's accepted answers, by key. */
    readonly answers: Record<string, JsonObject>,
    private readonly given: Readonly<Record<string, unknown>>,
  ) {
    this.isStuck = new Promise((resolve) => {
      this.#stick = () => resolve(STUCK);
    });
  }

  async ask(request: ClientRequest): Promise<JsonObject> {
    const { method, params } = request;
    if (!canBeAsked(method)) throw new TaskError('CLIENT_LACKS_CAPABILITY', `Clients of revision 2026-07-28 take no request "${method}".`);
    const key = request.key ?? this.#nextKey(method);
    if (this.#asked.has(key)) throw new TaskError('INVALID_KEY', `The key "${key}" was used for another request of this call.`);
    this.#asked.add(key);
    const known = this.answers[key];
    if (known !== undefined) return known;
    const taken = this.#take(key, request);
    if (taken !== undefined && 'response' in taken) return taken.response;
    this.pending[key] = inputRequest({ method, params: askedAgain(params, taken?.reason) });
    // All questions of the same moment are sent together.
    setImmediate(this.#stick);
    return new Promise(() => undefined);
  }

  /** An answer that does not fit does not count: the client is asked again, with the reason. */
  #take(key: string, request: ClientRequest): { readonly response: JsonObject } | { readonly reason: string } | undefined {
    const given = Object.hasOwn(this.given, key) ? this.given[key] : undefined;
    if (given === undefined) return undefined;
    const answer = answerOrReason(request, given);
    if ('error' in answer) return undefined;
    if ('response' in answer) this.answers[key] = answer.response;
    return answer;
  }

  #nextKey(method: string): string {
    const count = (this.#counts.get(method) ?? 0) + 1;
    this.#counts.set(method, count);
    const name = SHORT_NAMES[method] ?? method;
    const key = count === 1 ? name : `${name}-${count}`;
    return this.#asked.has(key) ? this.#nextKey(method) : key;
  }
}
