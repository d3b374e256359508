import type { KeyRing } from '@longhaul/runtime/keys';
import type { TaskStore } from '@longhaul/tasks';
import type { GatewayState } from './gateway/gateway-state.js';
import type { Allotments } from './ports/allotments.js';
import type { OwnerRecords } from './ports/owner-records.js';
import type { Holds } from './ports/holds.js';
import type { ProcessReports } from './ports/process-reports.js';
import type { SessionSlots } from './ports/session-slots.js';
import type { SessionState } from './ports/session-state.js';
import type { Signals } from './ports/signals.js';
import type { SessionNotifications } from './session-notifications.js';

/** The stores of sessions. */
export interface SessionStores {
  readonly ownerRecords: OwnerRecords;
  readonly processReports: ProcessReports;
  readonly sessionSlots: SessionSlots;
  readonly sessionState: SessionState;
  readonly sessionNotifications: SessionNotifications;
  readonly signals: Signals;
  /** Signals between modules of features in different processes. Their channels are no one else's, and their messages are sealed. */
  readonly featureSignals: Signals;
  readonly holds: Holds;
  readonly allotments: Allotments;
}

/** Everything that stores and moves tasks, sessions and gateway state; one per process. */
export interface Store extends TaskStore, SessionStores {
  readonly gateway: GatewayState;
  /** The keys of `LONGHAUL_KEYS`, if it is set. */
  readonly keyRing?: KeyRing | undefined;
  /** Whether what is written is encrypted with them. @defaultValue false */
  readonly encrypts?: boolean;
}

/** Limits of the values of sessions. */
export interface SessionLimits {
  /**
   * How long a session without use lasts: its values and its place are kept for the same time. All processes must have the same setting.
   * @defaultValue a day
   */
  readonly sessionTtlMs?: number;
  /** Limit of the values of all sessions of an account, and of its records if it is an address, bytes. @defaultValue 256 MiB */
  readonly accountSessionBytes?: number;
}
