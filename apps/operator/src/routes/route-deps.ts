import type { ReportedWarning, Revocations, SessionSlots, Tenants } from '@longhaul/sessions';
import type { QuestionLinks } from '@longhaul/sessions/gateway';
import type { AuditLog, LimitsOf, OperatorService, ScheduleService, TenantOverrides } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { Audited } from '../access/audit.js';
import type { Door, Operator } from '../access/door.js';
import type { BulkOperations } from '../bulk/bulk-operations.js';
import type { Failures } from '../failures/failures.js';
import type { ConnectionLimits } from '../http/connection-limits.js';
import type { LinkTemplates } from '../links/link-settings.js';
import type { ChangeFeed } from '../live/change-feed.js';
import type { LiveLists } from '../live/live-list.js';
import type { ProxiedServers } from '../servers/proxied-servers.js';
import type { ToolCatalogue } from '../tools/tool-catalogue.js';

/** The parts that the routes use. */
export interface AppDeps {
  readonly tasks: OperatorService;
  readonly schedules: ScheduleService;
  readonly servers: ProxiedServers;
  /** What makes the deployment work less well, as its processes report it. */
  readonly warnings: () => Promise<readonly ReportedWarning[]>;
  readonly bulk: BulkOperations;
  readonly failures: Failures;
  readonly feed: ChangeFeed;
  readonly lists: LiveLists;
  readonly revocations: Revocations;
  readonly sessionSlots: Pick<SessionSlots, 'openOf' | 'accounts'>;
  readonly tenants: Tenants;
  /** The present limits of an owner. */
  readonly limitsOf: LimitsOf;
  /** How many sessions an owner may have open now. */
  readonly openSessionsOf: (owner: string) => number;
  readonly overrides: TenantOverrides;
  readonly auditLog: AuditLog;
  /** The number of records that are kept in each chain. */
  readonly auditEntries: number;
  readonly audited: Audited;
  /** Absent if all requests come from this process. */
  readonly door: Door | undefined;
  readonly local: Operator | undefined;
  readonly catalogue: ToolCatalogue;
  readonly answersAllowed: boolean;
  /** Makes links for people to answer questions by. Absent if the address of the endpoint is not known. */
  readonly links: Pick<QuestionLinks, 'linkTo'> | undefined;
  /** Links from a task to its trace and its log lines. */
  readonly linkTemplates: LinkTemplates;
  /** The longest time that an ended task is kept for its client, milliseconds. */
  readonly maxTtlMs: number;
  readonly connections: ConnectionLimits;
  /** Proxies in front of the API. */
  readonly proxyHops: number;
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly ping: () => Promise<void>;
  readonly logger: Logger;
  readonly version: string;
}

/** The parts that routes are registered with. */
export interface RouteDeps extends AppDeps {
  /** Aborted when the server is about to end. */
  readonly closing: AbortSignal;
}
