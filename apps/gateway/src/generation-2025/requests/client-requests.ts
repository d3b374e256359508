/**
 * Sends requests to the client for features that run in this process. The client may POST the answer to any gateway: that gateway stores it
 * for a while and notifies the waiting gateway. If the notification is lost, the waiting gateway finds the answer at its next look.
 */
import type { ClientResponseStore } from '@longhaul/sessions/gateway';
import type { Control } from '../../cluster/control.js';
import { askedAgain, type InputAnswer, type JsonObject, MAX_ASKED_AGAIN, requireSession, TaskError } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { RpcAnswer } from '../../rpc/messages.js';
import { answerOrError, isMisfit } from '../../rpc/tasks/client-response.js';
import type { RequestIds } from '../wire/request-ids.js';
import type { ClientRequest } from '../../rpc/method.js';
import type { SessionCall } from './session-call.js';

const LOOK_EVERY_MS = 5_000;
const CANNOT_BE_ASKED =
  'The client takes no event stream as the answer (Accept: text/event-stream), so it cannot be asked anything before that.';

/** The parts that requests need. */
export interface ClientRequestsDeps {
  readonly gatewayId: string;
  readonly ids: RequestIds;
  readonly clientResponses: ClientResponseStore;
  readonly control: Pick<Control, 'publishTo'>;
  readonly logger: Logger;
}

interface Pending {
  readonly sessionId: string;
  /** As the feature made it. */
  readonly request: ClientRequest;
  readonly resolve: (answer: InputAnswer) => void;
  readonly reject: (error: Error) => void;
}

export class ClientRequests {
  readonly #pending = new Map<string, Pending>();
  #sent = 0;
  #look: NodeJS.Timeout | undefined;

  constructor(private readonly deps: ClientRequestsDeps) {}

  /**
   * Sends a request on the stream of the call, and waits for the answer until the call ends. When the answer to a form does not fit, it
   * asks again, a few times.
   *
   * @throws TaskError `CLIENT_LACKS_CAPABILITY` when the client accepts no stream; `INPUT_FAILED` when the client answers with an error or
   * an unfitting result; Error when the call ends before the answer, for instance because it does not wait
   */
  async send(call: Pick<SessionCall, 'scope' | 'session'>, request: ClientRequest): Promise<JsonObject> {
    let reason: string | undefined;
    for (let refused = 0; ; refused++) {
      try {
        return await this.#ask(call, request, askedAgain(request.params, reason));
      } catch (error) {
        if (!isMisfit(error)) throw error;
        if (refused === MAX_ASKED_AGAIN)
          throw new TaskError('INPUT_FAILED', `The client has given ${refused + 1} answers that do not fit. ${error.message}`);
        reason = error.message;
      }
    }
  }

  async #ask({ scope, session }: Pick<SessionCall, 'scope' | 'session'>, request: ClientRequest, params: JsonObject): Promise<JsonObject> {
    const { signal } = scope;
    const { method } = request;
    signal.throwIfAborted();
    requireSession(session.isStored);
    if (!scope.takesMessages) throw new TaskError('CLIENT_LACKS_CAPABILITY', CANNOT_BE_ASKED);
    const id = this.deps.ids.idOf(this.deps.gatewayId, ++this.#sent, session.id);
    const { promise: answered, resolve, reject } = Promise.withResolvers<InputAnswer>();
    this.#pending.set(id, { sessionId: session.id, request, resolve, reject });
    this.#look ??= setInterval(() => this.lookAtAll(), LOOK_EVERY_MS).unref();
    const stopListening = scope.whenOver(() => reject(signal.aborted ? (signal.reason as Error) : new CallOver(method)));
    scope.push({ id, method, params });
    try {
      const answer = await answered;
      if ('error' in answer) throw new TaskError('INPUT_FAILED', answer.error.message, answer.error);
      return answer.response;
    } finally {
      stopListening();
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.stop();
    }
  }

  /** Takes an answer that the session has POSTed here. @returns false when it answers none of these requests */
  async receive(id: string, answer: RpcAnswer, sessionId: string): Promise<boolean> {
    const { ids, clientResponses, control, gatewayId } = this.deps;
    const waiting = ids.gatewayOf(id, sessionId);
    if (waiting === undefined) return false;
    if (waiting === gatewayId) return this.#settle(id, answer);
    await clientResponses.put({ sessionId, requestId: id }, JSON.stringify(answer));
    await control.publishTo(waiting, { type: 'request-answered', sessionId, requestId: id });
    return true;
  }

  /** Looks for an answer that another gateway has stored. */
  async look(id: string): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const { clientResponses, logger } = this.deps;
    try {
      const answer = await clientResponses.take({ sessionId: pending.sessionId, requestId: id });
      if (answer !== undefined) this.#settle(id, JSON.parse(answer) as RpcAnswer);
    } catch (error) {
      logger.warn({ err: error }, 'answer of a client not looked for');
    }
  }

  /** Looks for the answers to all requests, because notifications may have been missed. */
  lookAtAll(): void {
    for (const id of this.#pending.keys()) void this.look(id);
  }

  stop(): void {
    clearInterval(this.#look);
    this.#look = undefined;
  }

  #settle(id: string, answer: RpcAnswer): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    try {
      pending.resolve(answerOrError(pending.request, answer));
    } catch (error) {
      pending.reject(error as Error);
    }
    return true;
  }
}

/** A waiting feature receives this error. */
class CallOver extends Error {
  override readonly name = 'CallOver';

  constructor(method: string) {
    super(`The call has ended before the client has answered ${method}.`);
  }
}
