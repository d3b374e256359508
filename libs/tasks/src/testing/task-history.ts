import { randomUUID } from 'node:crypto';
import type { TaskCommand } from '../domain/commands.js';
import { decideAll } from '../domain/decide.js';
import type { TaskCreatedData, TaskEvent } from '../domain/events.js';
import type { JsonObject } from '../domain/json.js';
import { initialState, type TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { webhooksOf } from '../domain/projections/webhooks.js';
import { project } from '../domain/projections/project.js';
import type { TaskProjection } from '../domain/projections/task-view.js';
import type { AppendRequest } from '../ports/event-store.js';
import { toStored } from '../ports/stored-event.js';

/** A task id that no other test has. */
export function newTaskId(): TaskId {
  return randomUUID() as TaskId;
}

/** The data that a task is created with, unless a test sets others. */
export function taskData(overrides: Partial<TaskCreatedData> = {}): TaskCreatedData {
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
  state: TaskState = initialState;
  /** The appended events. */
  readonly events: TaskEvent[] = [];

  constructor(
    readonly taskId: TaskId = newTaskId(),
    readonly startedAt: number = Date.now(),
  ) {}

  /** A second writer with the same knowledge. */
  fork(): TaskHistory {
    const fork = new TaskHistory(this.taskId, this.startedAt);
    fork.state = this.state;
    return fork;
  }

  get projection(): TaskProjection {
    return project(this.taskId, this.state);
  }

  /** The append of the commands, which this history then takes for written. */
  append(commands: readonly TaskCommand[], epoch?: number): AppendRequest {
    const before = this.state;
    const { events, state } = decideAll(commands, before);
    this.state = state;
    this.events.push(...events);
    const { projection } = this;
    const webhooks = webhooksOf({ before, events, after: state, projection });
    return {
      taskId: this.taskId,
      expectedVersion: before.version,
      ...(epoch !== undefined && { epoch }),
      events: events.map((event) => toStored(event, epoch)),
      projection,
      ...(webhooks !== undefined && { webhooks }),
      epochAfter: state.epoch,
      interrupts: epoch === undefined && before.pass.phase === 'running' && state.outcome !== undefined,
    };
  }

  create(overrides?: Partial<TaskCreatedData>): AppendRequest {
    return this.append([{ type: 'CreateTask', at: this.startedAt, task: taskData(overrides) }]);
  }

  claim(pass = 1): AppendRequest {
    return this.append([{ type: 'ClaimPass', at: this.startedAt, pass, workerId: 'worker' }]);
  }

  step(key: string, value: string): AppendRequest {
    const { epoch } = this.state;
    return this.append([{ type: 'CompleteStep', at: this.startedAt, epoch, key, value }], epoch);
  }

  ask(key: string): AppendRequest {
    const { epoch } = this.state;
    const question = { method: 'elicitation/create', params: { message: `What of ${key}?` } };
    return this.append([{ type: 'RequestInput', at: this.startedAt, epoch, key, ...question }], epoch);
  }

  status(message: string): AppendRequest {
    const { epoch, statusSeq } = this.state;
    return this.append([{ type: 'ReportStatus', at: this.startedAt, epoch, message, seq: statusSeq + 1 }], epoch);
  }

  continueAsNew(args: JsonObject): AppendRequest {
    const { epoch } = this.state;
    return this.append([{ type: 'ContinueAsNew', at: this.startedAt, epoch, arguments: args }], epoch);
  }

  complete(text = 'done'): AppendRequest {
    const { epoch } = this.state;
    const result = { content: [{ type: 'text', text }] };
    return this.append([{ type: 'CompleteTask', at: this.startedAt, epoch, result }], epoch);
  }

  cancel(): AppendRequest {
    return this.append([{ type: 'CancelTask', at: this.startedAt, by: 'client' }]);
  }
}
