import type { PayloadCodec } from './payload-codec.js';
import type { LargeValues } from '../ports/large-values.js';
import type { AuditLog } from './audit-log.js';
import type { CallbackStore } from './callback-store.js';
import type { Clock } from './clock.js';
import type { ConsumeOptions, JobHandler, TaskConsumer, TaskQueue } from './task-queue.js';
import type { DataKeyStore } from './data-keys.js';
import type { EventStore } from './event-store.js';
import type { KeepTimes } from './keep-times.js';
import type { OperatorIndex } from './operator-index.js';
import type { ParkedTasks } from './parked-tasks.js';
import type { QueuePauses } from './queue-pauses.js';
import type { ScheduleStore } from './schedule-store.js';
import type { StoreCapacity } from './store-capacity.js';
import type { TaskAgenda } from './task-agenda.js';
import type { TaskCounters } from './task-counters.js';
import type { TaskIndex } from './task-index.js';
import type { TaskLoad } from './task-load.js';
import type { TenantOverrides } from './tenant-overrides.js';
import type { WebhookOutbox } from './webhook-outbox.js';
import type { WorkerRegistry } from './worker-registry.js';

/** What a store says of itself. */
export interface StoreHealth {
  /** Its time, epoch milliseconds. */
  readonly now: number;
  /** One line if a restart of the store loses everything: why, and what to do. */
  readonly losesAll?: string;
}

/** Everything that stores and moves tasks; one per process. */
export interface TaskStore {
  readonly events: EventStore;
  readonly index: TaskIndex;
  readonly operators: OperatorIndex;
  readonly agenda: TaskAgenda;
  readonly counters: TaskCounters;
  readonly workers: WorkerRegistry;
  readonly parked: ParkedTasks;
  readonly queue: TaskQueue;
  readonly pauses: QueuePauses;
  readonly tenants: TenantOverrides;
  readonly capacity: StoreCapacity;
  readonly load: TaskLoad;
  readonly audit: AuditLog;
  readonly webhooks: WebhookOutbox;
  readonly schedules: ScheduleStore;
  readonly callbacks: CallbackStore;
  /** The codec that stored payloads are written with. */
  readonly codec: PayloadCodec;
  readonly dataKeys: DataKeyStore;
  /** The values that are too large for the record. Absent where there is no place for them: then values are small. */
  readonly values?: LargeValues | undefined;
  /** How long operators have ended tasks. */
  readonly keep: KeepTimes;
  /**
   * What time it is by the clock of the store, which all processes share: times that one process records and another compares are by it.
   */
  readonly clock: Clock;
  /** Looks at the store itself. @throws TaskError `STORE_UNAVAILABLE` */
  health(): Promise<StoreHealth>;
  /** Starts to take jobs. */
  consume(handler: JobHandler, options: ConsumeOptions): Promise<TaskConsumer>;
  /** Resolves when the store answers, and has room for new tasks. @throws TaskError `STORE_UNAVAILABLE`, `STORE_FULL` */
  ping(): Promise<void>;
  close(): Promise<void>;
}
