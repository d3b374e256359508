/**
 * How every event gets into a stream: decide on the present state, append on condition that nobody
 * was faster, and see to it that a pass which became due is enqueued.
 *
 * Dispatch is at least once. The task's entry in the agenda is dated with the append and removed after the task
 * has ended and was retired, so that the sweep finds everything that a crash left undone. Adding a job twice does no
 * harm: the domain rejects the second claim.
 */
import { accountsOf } from './accounts.js';
import { laneOf } from './lane.js';
import { decideAll } from '../domain/decide.js';
import { DUE_GRACE_MS, LONGEST_LOOK_MS, nextLook } from '../domain/next-look.js';
import { nextPass } from '../domain/next-pass.js';
import { CommandRejected } from '../domain/rejection.js';
import { initialState } from '../domain/state.js';
import { TaskError } from '../errors.js';
import { DEFAULT_MAX_HISTORY_BYTES, DEFAULT_MAX_OWNER_BYTES } from '../limits.js';
import { restore } from '../domain/projections/restore.js';
import { rowOf, statusOf } from '../domain/projections/task-row.js';
import { project, retentionOf } from '../domain/projections/task-view.js';
import { keptMsOf } from '../ports/keep-times.js';
import { toStored } from '../ports/stored-event.js';
import { cleanUpJob } from './clean-up-job.js';
import { reportOf } from './task-report.js';
/** Of a running pass the latest look is known, not the next one: the sweep looks more often the less there is to do. */
const PATIENCE = { dueMs: DUE_GRACE_MS, runningMs: LONGEST_LOOK_MS };
/** An idempotency key is kept this long from the latest look at its unfinished task; looks are at most an hour apart. */
export const KEY_TTL_MS = 8 * 24 * 3_600_000;
/** An idempotency key is kept at least this long after its task is gone. */
const KEY_GRACE_MS = 24 * 3_600_000;
/** Attempts against other writers before the write fails; each loss means that another one won. */
const MAX_CONFLICTS = 64;
/** The one way to write to tasks. */
export class TaskWriter {
    options;
    constructor(options) {
        this.options = options;
    }
    get maxHistoryBytes() {
        return this.options.maxHistoryBytes ?? DEFAULT_MAX_HISTORY_BYTES;
    }
    get observer() {
        return this.options.observer;
    }
    get now() {
        return this.options.clock();
    }
    /** The events after a version. */
    readAfter(taskId, version) {
        return this.options.backend.events.read(taskId, version);
    }
    /** Notes what the history of a task takes. @returns the limit that those of all tasks of one of the accounts exceed, if it could be noted */
    async countBytes(accounts, taskId, bytes) {
        const { backend, maxOwnerBytes = DEFAULT_MAX_OWNER_BYTES } = this.options;
        const count = async (account) => {
            const limit = typeof maxOwnerBytes === 'function' ? maxOwnerBytes(account) : maxOwnerBytes;
            return (await backend.index.countBytes(account, taskId, bytes, limit)) > limit ? [limit] : [];
        };
        try {
            const [exceeded] = (await Promise.all(accounts.map(count))).flat();
            return exceeded === undefined ? {} : { exceeded };
        }
        catch (error) {
            this.options.onError(error);
            return undefined;
        }
    }
    /**
     * Starts the stream of a task, and counts it under the accounts.
     *
     * @returns its view, nothing when there is such a task already, or why there may be none
     * @throws StoreUnreached, if nothing can have been done
     */
    async create(command, registration, accounts) {
        const { events, state: after } = decideAll([command], initialState);
        const commit = {
            taskId: registration.taskId,
            before: initialState,
            events: events.map((event) => toStored(event)),
            decided: events,
            after,
        };
        let refusal;
        const { result, view } = await this.append(commit, async (request) => {
            const answer = await this.options.backend.events.create(request, registration, accounts);
            if (typeof answer === 'string')
                return answer;
            refusal = answer;
            return 'conflict';
        });
        return refusal ?? (result === 'appended' ? { view } : {});
    }
    /**
     * Decides a command from outside a pass and appends until it wins. The history is not read: it may be
     * large, and the view is enough.
     *
     * @param known the view if it was read just now
     * @returns the view afterwards
     * @throws CommandRejected when the command is not allowed; TaskError `STORE_CONTENTION`, `STORE_UNAVAILABLE`
     */
    async write(taskId, command, known) {
        let view = known;
        for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
            view ??= (await this.options.backend.events.views([taskId]))[0];
            if (view === undefined)
                throw new CommandRejected('TASK_NOT_FOUND', 'There is no such task.');
            const before = restore(view);
            const { events, state: after } = decideAll([command], before);
            if (events.length === 0)
                return view;
            const appended = await this.append({ taskId, before, events: events.map((event) => toStored(event)), decided: events, after });
            if (appended.result === 'appended')
                return appended.view;
            view = undefined;
        }
        throw new TaskError('STORE_CONTENTION');
    }
    /** Appends once, and dispatches the pass that the append made due. */
    async commit(commit) {
        return (await this.append(commit)).result;
    }
    /** The same, with the view after the append. */
    async append(commit, send = (request) => this.options.backend.events.append(request)) {
        const { taskId, before, events, after, epoch, maxBytes } = commit;
        const { backend } = this.options;
        const due = newlyDue(before, after);
        const projection = this.projected(taskId, after);
        const { view } = projection;
        const lookInMs = this.leavesSomething(view) ? DUE_GRACE_MS : this.earlierLook(before, after);
        const result = await send({
            taskId,
            expectedVersion: before.version,
            ...(epoch !== undefined && { epoch }),
            events,
            ...(maxBytes !== undefined && { maxBytes }),
            projection,
            epochAfter: after.epoch,
            ...(lookInMs !== undefined && { lookInMs }),
            ...(epoch === undefined && before.pass.phase === 'running' && after.outcome !== undefined && { interrupts: true }),
            ...(changesRow(view, before) && { row: rowOf(view) }),
            ...(after.outcome !== undefined && { retires: { accounts: accountsOf(view), keptMs: ownMsOf(view), storedMs: view.keptMs ?? 0 } }),
        });
        if (result !== 'appended')
            return { result, view };
        this.report(view, commit);
        // What fails from here on is left to the sweep.
        if (due !== undefined)
            await this.guard(() => backend.queue.add(this.jobOf(view, due.pass), due.dueAt));
        if (after.outcome !== undefined)
            await this.guard(() => this.spend(view));
        return { result, view };
    }
    /** The job of a pass. */
    jobOf({ taskId, owner, tool }, pass) {
        const priority = this.options.priorityOf?.(tool);
        return { taskId, pass, lane: laneOf(owner), tool, ...(priority !== undefined && { priority }) };
    }
    /** With how long operators have the task after its end, so that every reader has it. A store that fills up keeps nothing for them. */
    projected(taskId, after) {
        const { keep, capacity } = this.options.backend;
        const { view, ...outcome } = project(taskId, after);
        const keptMs = view.ending === undefined ? 0 : keptMsOf(keep, statusOf(view));
        return { view: keptMs > 0 && capacity.hasRoomToSpare() ? { ...view, keptMs } : view, ...outcome };
    }
    /** Reports an append that is in the stream, and that the task was created or has ended if one of the two happened with it. */
    report(view, { taskId, before, decided, after, thrown }) {
        const { onTask, observer } = this.options;
        observer?.onAppend({ taskId, before, events: decided, after });
        const report = onTask && reportOf(view, before, after, thrown);
        if (report !== undefined)
            onTask?.(report);
    }
    /** The milliseconds until the task must be looked at, unless by the state before its entry is dated for then or earlier. */
    earlierLook(before, after) {
        const inMs = nextLook(after, this.now, PATIENCE);
        return inMs < nextLook(before, this.now, PATIENCE) ? inMs : undefined;
    }
    /** Whether the task may have left something behind: it was interrupted, after a pass had begun. */
    leavesSomething({ ending, standing, tool }) {
        const isInterrupted = ending !== undefined && (ending.kind !== 'result' || ending.isError) && standing.epoch > 0;
        return isInterrupted && (this.options.cleansUp?.(tool) ?? false);
    }
    /**
     * Has what an interrupted task left behind cleaned up, the index of each account know that the task ended, and its idempotency
     * key that it is spent; after that nobody needs to look at the task any more. May be repeated.
     */
    async retire(view) {
        if (view.endedAt === undefined)
            return;
        await this.options.backend.index.retire(accountsOf(view), view.taskId, ownMsOf(view), view.keptMs);
        await this.spend(view);
    }
    /** The rest of what `retire` does, after an append that has retired the task in the index. */
    async spend(view) {
        const { taskId, owner, idempotencyKey } = view;
        const { index, agenda, queue } = this.options.backend;
        if (this.leavesSomething(view))
            await queue.addSideJob(cleanUpJob(view));
        if (idempotencyKey !== undefined)
            await index.keepKey(owner, idempotencyKey, taskId, ownMsOf(view) + KEY_GRACE_MS);
        agenda.remove(taskId);
    }
    async guard(work) {
        try {
            await work();
        }
        catch (error) {
            this.options.onError(error);
        }
    }
}
/** For how long its client has an ended task. Rather too long, since only the store knows when the task began by its own clock: one that is gone is not listed. */
function ownMsOf(view) {
    const { fromBeginMs = 0, fromEndMs = 0 } = retentionOf(view) ?? {};
    return Math.max(fromBeginMs, fromEndMs);
}
/** Whether operators learn something by a row: that the task was created, or has another status. */
function changesRow(view, before) {
    if (before.version === 0)
        return true;
    return statusOf(view) !== (before.pendingInputs.size > 0 ? 'input_required' : 'working');
}
function newlyDue(before, after) {
    const due = nextPass(after);
    const was = before.version === 0 ? undefined : nextPass(before);
    return due !== undefined && (due.pass !== was?.pass || due.dueAt !== was.dueAt) ? due : undefined;
}
//# sourceMappingURL=task-writer.js.map