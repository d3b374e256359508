/**
 * Handles a GET with `Last-Event-ID`, on any gateway: it takes the stream over, replays what the client has missed, and continues it. The
 * answer of a task is awaited here, whether the earlier gateway is alive or not. The answer of a call that runs inside a gateway's process
 * comes through the log of the stream, while that gateway lives.
 */
import { type Session, type StreamEntry, type StreamRequest, type StreamStore, type TakenStream } from '@longhaul/sessions/gateway';
import { cursorOf } from '../../streams/event-id.js';
import type { Presence } from '../../cluster/presence.js';
import type { TaskId } from '@longhaul/tasks';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { taskCallerOf } from '../../rpc/caller.js';
import { PROCESS_ENDED, Refusal, RpcCode } from '../../rpc/errors.js';
import type { PlainCalls } from '../../rpc/plain-calls/plain-calls.js';
import type { RequireScopes } from '../../rpc/scopes.js';
import { withRelatedTask } from '../wire/related-task.js';
import type { FollowTask, WaitTerms } from '../input-requests/follow-task.js';
import { giveUpIfGone } from '../requests/given-up.js';
import { type Answerer, OpenRequest } from '../requests/open-request.js';
import type { LiveStream } from './live-stream.js';
import { errorAnswer } from '../../rpc/messages.js';
import type { OpenRequests } from '../requests/open-requests.js';
import type { OpenStreams } from './open-streams.js';
import { ResumedResponse } from './resumed-response.js';
import { requestIdOf, type StandaloneStreams } from './standalone-streams.js';
import { ifThere, type ScopedTasks } from '../../rpc/tasks/scoped-tasks.js';

/** How often a resumed stream checks whether the process that makes its answer is alive. */
const LOOK_EVERY_MS = 1_500;

/** The parts that resuming needs. */
export interface ResumeStreamDeps {
  readonly store: StreamStore;
  readonly presence: Presence;
  readonly streams: OpenStreams;
  readonly standalone: StandaloneStreams;
  readonly openRequests: OpenRequests;
  readonly tasks: ScopedTasks;
  readonly follow: FollowTask;
  readonly plainCalls: Pick<PlainCalls, 'handOver' | 'answerOf' | 'left'>;
  readonly requireScopes: RequireScopes;
  readonly logger: Logger;
}

/** Serves the request. @throws Refusal 400 for an id that is not one of this session's streams, 403, 409, 429 */
export type ResumeStream = (session: Session, lastEventId: string, reply: FastifyReply) => Promise<void>;

export function createResumeStream(deps: ResumeStreamDeps): ResumeStream {
  const { store, presence, streams, standalone } = deps;
  return async (session, lastEventId, reply) => {
    const cursor = cursorOf(lastEventId);
    if (cursor === undefined) throw unknownEvent();
    const { gatewayId } = presence;
    const { leaseMs, maxOpen } = streams;
    const name = { sessionId: session.id, streamId: cursor.streamId };
    // This comes first: a refused caller must not end another client's connection.
    await requireAnswers(deps, session, await store.requestsOf(name));
    const outcome = await standalone.whenFree((replacing) =>
      store.takeOver({ ...name, n: cursor.n, gatewayId, leaseMs, maxOpen, ...(replacing !== undefined && { replacing }) }),
    );
    if (!('stream' in outcome)) throw unknownEvent();
    const { stream } = outcome;
    try {
      // The task of an answer may have become known in the meantime.
      await requireAnswers(deps, session, stream.requests);
    } catch (error) {
      await store.leave({ ...name, gatewayId, epoch: stream.epoch, isStandalone: stream.isStandalone });
      throw error;
    }
    const { entries } = await store.read(name, 0);
    if (stream.isFinished && !entries.some(({ n }) => n > cursor.n)) {
      // Without content, a client stops asking; after an error as its answer, it would ask for ever.
      await reply.code(204).send();
      return;
    }
    const ref = { ...name, gatewayId, epoch: stream.epoch, isStandalone: stream.isStandalone };
    if (stream.isStandalone) {
      const since = entries.find(({ n }) => n === cursor.n)?.at ?? stream.openedAt;
      return standalone.resume(session, { ref, n: cursor.n, since, entries }, reply);
    }
    const due = unansweredOf(stream, entries);
    const live = streams.serve(session, { ref, raw: reply.hijack().raw, cursor: cursor.n, due: due.length });
    await goOn(deps, session, { live, stream, due, entries });
  };
}

/** @throws Refusal 403 for a caller that may not see what a stream answers: its requests, and their tasks */
async function requireAnswers(
  { tasks, requireScopes }: ResumeStreamDeps,
  session: Session,
  requests: readonly StreamRequest[],
): Promise<void> {
  if (session.auth?.scopes === undefined) return;
  const { neededScopes: ofListening = [] } = session;
  const neededScopes = [...new Set([...ofListening, ...requests.flatMap(({ scopes = [] }) => scopes)])];
  requireScopes(session.auth, neededScopes);
  const caller = taskCallerOf({ ...session, neededScopes });
  const taskIds = new Set(requests.flatMap(({ taskId }) => taskId ?? []));
  await Promise.all([...taskIds].map((taskId) => ifThere(() => tasks.getOfCall(taskId, caller))));
}

/** A stream that was taken over, and its due answers. */
interface Resumed {
  readonly live: LiveStream;
  readonly stream: TakenStream;
  readonly due: readonly StreamRequest[];
  readonly entries: readonly StreamEntry[];
}

async function goOn(deps: ResumeStreamDeps, session: Session, { live, stream, due, entries }: Resumed): Promise<void> {
  const sent = entries.map(({ json }) => requestIdOf(json)).filter((id) => id !== undefined);
  const response = new ResumedResponse(live, new Set(sent));
  if (due.length > 0) await live.watch().catch((error: unknown) => deps.logger.warn({ err: error }, 'stream not watched'));
  await live.catchUp();
  const progress = due.length === 1 ? lastProgressIn(entries) : {};
  for (const { id, taskId, ...bound } of due) {
    if (taskId === undefined) continue;
    const request = new OpenRequest(id, response);
    request.bind(taskId, bound);
    deps.openRequests.add(session.id, request);
    live.whenLeft(() => request.leave(live));
    void request.run(answererOf(deps, session, { taskId, ...bound, ...progress }), deps.logger);
    await cancelIfNoted(deps, session, request);
  }
  const elsewhere = due.filter(({ taskId }) => taskId === undefined).map(({ id }) => id);
  if (elsewhere.length > 0) waitForProcess(deps, session, { live, response, origin: stream.origin, requestIds: elsewhere });
}

/** The client may have cancelled the request while no gateway served it. */
async function cancelIfNoted({ store, logger }: ResumeStreamDeps, session: Session, request: OpenRequest): Promise<void> {
  try {
    const cancellation = await store.cancellationOf(session.id, request.id);
    if (cancellation !== undefined) request.cancel(cancellation);
  } catch (error) {
    logger.warn({ err: error }, 'cancellation not looked for');
  }
}

/** The token and the value of the last progress of a request: another gateway may have sent it, and only the request has named the token. */
function lastProgressIn(entries: readonly StreamEntry[]): Pick<WaitTerms, 'progressToken' | 'lastProgress'> {
  for (const { json } of entries.toReversed()) {
    if (!json.includes('notifications/progress')) continue;
    const { method, params } = JSON.parse(json) as { method?: unknown; params?: { progressToken: string | number; progress: number } };
    if (method === 'notifications/progress' && params !== undefined)
      return { progressToken: params.progressToken, lastProgress: params.progress };
  }
  return {};
}

/** The task that an answer comes from, and how its request waits. */
interface DueAnswer extends WaitTerms {
  readonly taskId: TaskId;
}

function answererOf(deps: ResumeStreamDeps, session: Session, { taskId, handOverAt, role, ...sent }: DueAnswer): Answerer {
  const { tasks, follow, plainCalls } = deps;
  return async (scope) => {
    const task = await tasks.getOfCall(taskId, taskCallerOf(session));
    const { implicit = false, progressToken } = task.view;
    const isPlain = implicit || role !== undefined || handOverAt !== undefined;
    try {
      // The token of the task is that of the call which has made it.
      const ofCall = role === 'call' ? { progressToken } : {};
      const followed = await follow(task, { scope, session }, isPlain ? { handOverAt, role, ...ofCall, ...sent } : undefined);
      if ('left' in followed) return await plainCalls.handOver(followed.left, { requester: session, isFirst: role !== undefined });
      return withRelatedTask(plainCalls.answerOf(followed.outcome, taskId, handOverAt), isPlain ? undefined : taskId);
    } catch (error) {
      if (role !== undefined) await giveUpIfGone(deps, task.view, { scope, requester: session });
      throw error;
    }
  };
}

interface Waiting {
  readonly live: LiveStream;
  readonly response: ResumedResponse;
  readonly origin: string;
  readonly requestIds: readonly (string | number)[];
}

/** The answers come through the log; when their process has ended, the client receives an error. */
function waitForProcess(deps: ResumeStreamDeps, session: Session, { live, response, origin, requestIds }: Waiting): void {
  const { presence, openRequests, logger } = deps;
  const isUnderWay = async (): Promise<boolean> =>
    origin === presence.gatewayId ? requestIds.some((id) => openRequests.has(session.id, id)) : presence.isAlive(origin);
  const look = async (): Promise<void> => {
    if (await isUnderWay()) return;
    clearInterval(timer);
    await live.catchUp();
    if (live.isOver || !live.isAttached) return;
    for (const id of requestIds) response.answer(errorAnswer(id, PROCESS_ENDED), {}, true);
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => logger.warn({ err: error }, 'gateway not looked for'));
  }, LOOK_EVERY_MS).unref();
  live.whenLeft(() => clearInterval(timer));
}

function unansweredOf({ requests, isFinished }: TakenStream, entries: readonly StreamEntry[]): readonly StreamRequest[] {
  if (isFinished) return [];
  const answered = new Set(entries.map(({ json }) => answeredId(json)));
  return requests.filter(({ id }) => !answered.has(id));
}

/** The id of the request that a message answers. */
function answeredId(json: string): unknown {
  const message = JSON.parse(json) as { id?: unknown; method?: unknown };
  return message.method === undefined ? message.id : undefined;
}

/** The same refusal for every id that is not the caller's, so that it reveals nothing about others' streams. */
function unknownEvent(): Refusal {
  return new Refusal(400, RpcCode.Transport, 'Bad Request: Last-Event-ID names no event of this session that can be resumed');
}
