import { taskCallerOf } from '../../rpc/caller.js';
import { PROCESS_ENDED, Refusal, RpcCode } from '../../rpc/errors.js';
import { withRelatedTask } from '../wire/related-task.js';
import { answerOf } from '../../rpc/tasks/outcome.js';
import { cancelQuietly } from '../../rpc/tasks/task-of-call.js';
import { cursorOf } from '../../state/event-id.js';
import { OpenRequest } from '../requests/open-request.js';
import { errorAnswer } from '../../rpc/messages.js';
import { ResumedResponse } from './resumed-response.js';
import { requestIdOf } from './standalone-streams.js';
import { ifThere } from '../../rpc/tasks/scoped-tasks.js';
/** How often a resumed stream looks whether the process that makes its answer lives. */
const LOOK_EVERY_MS = 1_500;
export function createResumeStream(deps) {
    const { store, presence, streams, standalone } = deps;
    return async (session, lastEventId, reply) => {
        const cursor = cursorOf(lastEventId);
        if (cursor === undefined)
            throw unknownEvent();
        const { gatewayId } = presence;
        const { leaseMs, maxOpen } = streams;
        const name = { sessionId: session.id, streamId: cursor.streamId };
        // First: who is refused ends nobody's connection.
        await requireAnswers(deps, session, await store.requestsOf(name));
        const outcome = await standalone.whenFree((replacing) => store.takeOver({ ...name, n: cursor.n, gatewayId, leaseMs, maxOpen, ...(replacing !== undefined && { replacing }) }));
        if (!('stream' in outcome))
            throw unknownEvent();
        const { stream } = outcome;
        try {
            // It may have become known meanwhile which task is answered.
            await requireAnswers(deps, session, stream.requests);
        }
        catch (error) {
            await store.leave({ ...name, gatewayId, epoch: stream.epoch, isStandalone: stream.isStandalone });
            throw error;
        }
        const { entries } = await store.read(name, 0);
        if (stream.isFinished && !entries.some(({ n }) => n > cursor.n)) {
            // Without content a client stops to ask; one that got an error as its answer would ask for ever.
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
/** @throws Refusal 403 for who may not see what a stream answers: its requests, and the tasks that they are about */
async function requireAnswers({ tasks, requireScopes }, session, requests) {
    if (session.auth?.scopes === undefined)
        return;
    const { neededScopes: ofListening = [] } = session;
    const neededScopes = [...new Set([...ofListening, ...requests.flatMap(({ scopes = [] }) => scopes)])];
    requireScopes(session.auth, neededScopes);
    const caller = taskCallerOf({ ...session, neededScopes });
    const taskIds = new Set(requests.flatMap(({ taskId }) => taskId ?? []));
    await Promise.all([...taskIds].map((taskId) => ifThere(() => tasks.getOfCall(taskId, caller))));
}
async function goOn(deps, session, { live, stream, due, entries }) {
    const sent = entries.map(({ json }) => requestIdOf(json)).filter((id) => id !== undefined);
    const response = new ResumedResponse(live, new Set(sent));
    if (due.length > 0)
        await live.watch().catch((error) => deps.logger.warn({ err: error }, 'stream not watched'));
    await live.catchUp();
    for (const { id, taskId } of due) {
        if (taskId === undefined)
            continue;
        const request = new OpenRequest(id, response);
        request.bind(taskId);
        deps.openRequests.add(session.id, request);
        live.whenLeft(() => request.close());
        void request.run(answererOf(deps, session, taskId), deps.logger);
        await cancelIfNoted(deps, session, request);
    }
    const elsewhere = due.filter(({ taskId }) => taskId === undefined).map(({ id }) => id);
    if (elsewhere.length > 0)
        waitForProcess(deps, session, { live, response, origin: stream.origin, requestIds: elsewhere });
}
/** The client may have cancelled the request when no gateway served it. */
async function cancelIfNoted({ store, logger }, session, request) {
    try {
        if (await store.isCancelled(session.id, request.id))
            request.cancel();
    }
    catch (error) {
        logger.warn({ err: error }, 'cancellation not looked for');
    }
}
function answererOf({ tasks, follow }, session, taskId) {
    return async (scope) => {
        const task = await tasks.getOfCall(taskId, taskCallerOf(session));
        const isImplicit = task.view.implicit === true;
        try {
            return withRelatedTask(answerOf(await follow(task, { scope, session })), isImplicit ? undefined : taskId);
        }
        catch (error) {
            if (isImplicit && scope.isCancelled)
                await cancelQuietly(tasks, task.view);
            throw error;
        }
    };
}
/** The answers come through the log; when their process has ended, the client receives an error. */
function waitForProcess(deps, session, { live, response, origin, requestIds }) {
    const { presence, openRequests, logger } = deps;
    const isUnderWay = async () => origin === presence.gatewayId ? requestIds.some((id) => openRequests.has(session.id, id)) : presence.isAlive(origin);
    const look = async () => {
        if (await isUnderWay())
            return;
        clearInterval(timer);
        await live.catchUp();
        if (live.isOver || !live.isAttached)
            return;
        for (const id of requestIds)
            response.answer(errorAnswer(id, PROCESS_ENDED), {}, true);
    };
    const timer = setInterval(() => {
        look().catch((error) => logger.warn({ err: error }, 'gateway not looked for'));
    }, LOOK_EVERY_MS).unref();
    live.whenLeft(() => clearInterval(timer));
}
function unansweredOf({ requests, isFinished }, entries) {
    if (isFinished)
        return [];
    const answered = new Set(entries.map(({ json }) => answeredId(json)));
    return requests.filter(({ id }) => !answered.has(id));
}
/** The id of the request that a message answers. */
function answeredId(json) {
    const message = JSON.parse(json);
    return message.method === undefined ? message.id : undefined;
}
/** The same for every id that is not the caller's, so that nobody learns of the streams of others. */
function unknownEvent() {
    return new Refusal(400, RpcCode.Transport, 'Bad Request: Last-Event-ID names no event of this session that can be resumed');
}
//# sourceMappingURL=resume-stream.js.map