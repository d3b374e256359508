import { randomUUID } from 'node:crypto';
import { decideAll } from '../domain/decide.js';
import { initialState } from '../domain/state.js';
import { project } from '../domain/projections/task-view.js';
import { toStored } from '../ports/stored-event.js';
/** A task id that no other test has. */
export function newTaskId() {
    return randomUUID();
}
/** What a task is created with, unless a test says otherwise. */
export function taskData(overrides = {}) {
    return {
        tool: 'research',
        arguments: { topic: 'tides' },
        owner: 'alice',
        client: { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: { elicitation: {} } },
        ttlMs: 60_000,
        pollIntervalMs: 1000,
        ...overrides,
    };
}
/** One task as its writer sees it: each call decides commands on what it knows and makes the append of them. */
export class TaskHistory {
    taskId;
    startedAt;
    state = initialState;
    /** What was appended. */
    events = [];
    constructor(taskId = newTaskId(), startedAt = Date.now()) {
        this.taskId = taskId;
        this.startedAt = startedAt;
    }
    /** A second writer with the same knowledge. */
    fork() {
        const fork = new TaskHistory(this.taskId, this.startedAt);
        fork.state = this.state;
        return fork;
    }
    get projection() {
        return project(this.taskId, this.state);
    }
    /** The append of the commands, which this history then takes for written. */
    append(commands, epoch) {
        const before = this.state;
        const { events, state } = decideAll(commands, before);
        this.state = state;
        this.events.push(...events);
        return {
            taskId: this.taskId,
            expectedVersion: before.version,
            ...(epoch !== undefined && { epoch }),
            events: events.map((event) => toStored(event, epoch)),
            projection: this.projection,
            epochAfter: state.epoch,
            interrupts: epoch === undefined && before.pass.phase === 'running' && state.outcome !== undefined,
        };
    }
    create(overrides) {
        return this.append([{ type: 'CreateTask', at: this.startedAt, task: taskData(overrides) }]);
    }
    claim(pass = 1) {
        return this.append([{ type: 'ClaimPass', at: this.startedAt, pass, workerId: 'worker' }]);
    }
    step(key, value) {
        const { epoch } = this.state;
        return this.append([{ type: 'CompleteStep', at: this.startedAt, epoch, key, value }], epoch);
    }
    status(message) {
        const { epoch, statusSeq } = this.state;
        return this.append([{ type: 'ReportStatus', at: this.startedAt, epoch, message, seq: statusSeq + 1 }], epoch);
    }
    continueAsNew(args) {
        const { epoch } = this.state;
        return this.append([{ type: 'ContinueAsNew', at: this.startedAt, epoch, arguments: args }], epoch);
    }
    complete(text = 'done') {
        const { epoch } = this.state;
        const result = { content: [{ type: 'text', text }] };
        return this.append([{ type: 'CompleteTask', at: this.startedAt, epoch, result }], epoch);
    }
    cancel() {
        return this.append([{ type: 'CancelTask', at: this.startedAt, by: 'client' }]);
    }
}
//# sourceMappingURL=task-history.js.map