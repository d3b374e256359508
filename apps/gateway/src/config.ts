import { parseVariables, sharedConfig, type SharedConfig } from '@longhaul/runtime/environment';
import { type SigningConfig, signingConfig } from '@longhaul/runtime/signing-settings';
import type { QuestionKind } from '@longhaul/tasks';
import { type CreationSettings, creationSettings } from '@longhaul/tasks/creation-settings';
import type { z } from 'zod';
import { withSecrets } from './access/issuer-settings.js';
import type { AccessConfig } from './access/open-access.js';
import { environment, SYNC_WAIT_MS } from './gateway-variables.js';
import type { OnAbandoned } from './rpc/plain-calls/abandoned-call.js';
import { KNOWN_CLIENTS, type KnownClient } from './rpc/plain-calls/known-clients.js';
import type { ServerIdentity } from './server-identity.js';

/** How slow and how many clients may be; times in milliseconds. */
export interface ConnectionLimits {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** For a silence within the body of a request. */
  readonly bodySilenceMs: number;
  /** For a request with its body. */
  readonly requestMs: number;
  /** For a connection between two requests. */
  readonly idleMs: number;
  /** For the rest of a refused request's body: it is discarded, and a client that still writes can read why. */
  readonly refusedMs: number;
  /** For a written answer until the client reads it. */
  readonly unreadMs: number;
  /** Bytes of unread answers and unfinished bodies, of all connections together. */
  readonly heldBytes: number;
  /** Connections of the process. */
  readonly maxConnections: number;
}

/** The number of requests a second, 0 for no limit, and the number at once. */
export interface RequestRate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The settings of a gateway process. */
export interface GatewayConfig extends SharedConfig, CreationSettings, SigningConfig, AccessConfig {
  readonly port: number;
  /** The server's identity. */
  readonly server: ServerIdentity;
  /** Instructions to clients' models on how to use the server. Absent: the features' own instructions. */
  readonly instructions?: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly bodyLimitBytes: number;
  /** The most JSON values in one body: members, items, and their containers. */
  readonly bodyLimitValues: number;
  /** The most memory for all bodies in work, including their values. */
  readonly bodiesInWorkBytes: number;
  /** Creating tasks stops when this many passes of all tasks wait for workers. */
  readonly maxQueued: number;
  /** How many requests one caller may make. */
  readonly requestRate: RequestRate;
  /** Whether to serve without sessions. */
  readonly isStateless: boolean;
  /** Whether tools that must be called as tasks are listed as `required`, and plain calls of them are refused. */
  readonly areTasksStrict: boolean;
  /** The kinds of questions that wait in a task when its client cannot be asked. */
  readonly keptQuestions: readonly QuestionKind[];
  /** Event streams that a session may have open at the same time. */
  readonly maxOpenStreams: number;
  /** Sessions that one caller, or one address, may open in an hour. */
  readonly sessionsPerHour: number;
  /** Sessions that one caller, or one address, may have open. */
  readonly openSessions: number;
  /** Invalid tokens that may come from one address in a minute. */
  readonly failuresPerMinute: number;
  /** The number of proxies in front of the gateway. */
  readonly proxyHops: number;
  /** How long a `requestState` of revision 2026-07-28 is valid, milliseconds. */
  readonly stateMs: number;
  /** Streams of `subscriptions/listen` that one caller, or one address, may have open at a gateway. */
  readonly listenStreams: number;
  /** How slow and how many clients may be. */
  readonly connections: ConnectionLimits;
  /** The number of entries on a page of a list. */
  readonly pageSize: number;
  /** The characters that a part of a long result has for clients that do not follow tasks. Absent: they get all of it at once. */
  readonly resultCharacters?: number;
  /** Whether nothing is served but the protocol: no plain call is handed over, and no tool stands in for a method. */
  readonly isBare: boolean;
  /** How long a plain call waits for the task behind it if the limit of its client is not known, milliseconds. */
  readonly syncWaitMs: number;
  /** No plain call waits longer, milliseconds. */
  readonly longestWaitMs: number;
  /** The longest silence towards a waiting client that asks for progress, milliseconds; 0 for any. */
  readonly signOfLifeMs: number;
  /** What becomes of tasks whose clients stop waiting. */
  readonly onAbandoned: OnAbandoned;
  /** How clients wait; the first entry that fits counts. */
  readonly knownClients: readonly KnownClient[];
  /** Silence after which the response to a waiting request becomes an event stream, milliseconds. */
  readonly patienceMs: number;
  /** Whether callers' actions are recorded in the audit log, in addition to operators' actions. */
  readonly auditsCallers: boolean;
  /** Time between two keep-alives on an event stream, milliseconds. */
  readonly keepAliveMs: number;
}

/** Longer than proxies commonly keep an idle connection. */
const IDLE_MS = 72_000;
const SLOW_CLIENTS = { headersMs: 10_000, bodySilenceMs: 10_000, idleMs: IDLE_MS, refusedMs: 5_000, unreadMs: 60_000 };
const MIN_HELD_BYTES = 64 * 1024 * 1024;
const MIN_HELD_BODIES = 4;
const PATIENCE_MS = 1_000;
/** Shorter than the silence after which proxies commonly close a response. */
const KEEP_ALIVE_MS = 15_000;

const LONGEST_WAIT_MS = 3_600_000;

type PlainCallMember = 'isBare' | 'keptQuestions' | 'syncWaitMs' | 'longestWaitMs' | 'signOfLifeMs' | 'onAbandoned' | 'knownClients';

function plainCallsOf(data: z.output<typeof environment>): Pick<GatewayConfig, PlainCallMember> {
  const { LONGHAUL_BARE_PROTOCOL: isBare, LONGHAUL_SYNC_WAIT_MS: syncWaitMs } = data;
  return {
    isBare,
    keptQuestions: isBare ? [] : data.LONGHAUL_KEEP_QUESTIONS,
    syncWaitMs,
    // A deployment that wants short requests has a reason, such as a proxy, which holds for all clients.
    longestWaitMs: data.LONGHAUL_LONGEST_WAIT_MS ?? (syncWaitMs < SYNC_WAIT_MS ? syncWaitMs : LONGEST_WAIT_MS),
    signOfLifeMs: isBare ? 0 : data.LONGHAUL_SIGN_OF_LIFE_MS,
    onAbandoned: data.LONGHAUL_ON_ABANDONED,
    knownClients: [...(data.LONGHAUL_KNOWN_CLIENTS ?? []), ...KNOWN_CLIENTS],
  };
}

export { environment };

/** @throws ConfigError that names each wrong variable, its meaning and its permitted values */
export function readConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const data = parseVariables(environment, env);
  return {
    ...sharedConfig(data),
    ...creationSettings(data),
    ...signingConfig(data),
    port: data.PORT,
    server: {
      name: data.LONGHAUL_SERVER_NAME,
      ...(data.LONGHAUL_SERVER_TITLE !== undefined && { title: data.LONGHAUL_SERVER_TITLE }),
      ...(data.LONGHAUL_SERVER_VERSION !== undefined && { version: data.LONGHAUL_SERVER_VERSION }),
      ...(data.LONGHAUL_SERVER_ICON !== undefined && { icon: data.LONGHAUL_SERVER_ICON }),
    },
    ...(data.LONGHAUL_INSTRUCTIONS !== undefined && { instructions: data.LONGHAUL_INSTRUCTIONS }),
    ...(data.LONGHAUL_TOKENS !== undefined && { tokens: data.LONGHAUL_TOKENS }),
    ...(data.LONGHAUL_ISSUERS !== undefined && { issuers: withSecrets(data.LONGHAUL_ISSUERS, env) }),
    ...(data.LONGHAUL_SCOPES !== undefined && { scopes: data.LONGHAUL_SCOPES }),
    // Clients that use the public URL name its host.
    allowedHosts: [
      ...data.LONGHAUL_ALLOWED_HOSTS,
      ...(data.LONGHAUL_PUBLIC_URL === undefined ? [] : [new URL(data.LONGHAUL_PUBLIC_URL).host]),
    ],
    allowedOrigins: data.LONGHAUL_ALLOWED_ORIGINS,
    bodyLimitBytes: data.LONGHAUL_BODY_LIMIT_BYTES,
    bodyLimitValues: data.LONGHAUL_BODY_LIMIT_VALUES,
    bodiesInWorkBytes: data.LONGHAUL_BODIES_IN_WORK_BYTES,
    requestRate: { perSecond: data.LONGHAUL_MAX_REQUESTS_PER_SECOND, burst: data.LONGHAUL_MAX_REQUEST_BURST },
    isStateless: data.LONGHAUL_STATELESS,
    areTasksStrict: data.LONGHAUL_STRICT_TASKS,
    ...plainCallsOf(data),
    maxOpenStreams: data.LONGHAUL_MAX_OPEN_STREAMS,
    sessionsPerHour: data.LONGHAUL_MAX_SESSIONS_PER_HOUR,
    openSessions: data.LONGHAUL_MAX_OPEN_SESSIONS,
    failuresPerMinute: data.LONGHAUL_MAX_FAILED_AUTHENTICATIONS,
    proxyHops: data.LONGHAUL_PROXY_HOPS,
    connections: {
      ...SLOW_CLIENTS,
      requestMs: data.LONGHAUL_REQUEST_TIMEOUT_MS,
      maxConnections: data.LONGHAUL_MAX_CONNECTIONS,
      heldBytes: Math.max(MIN_HELD_BYTES, MIN_HELD_BODIES * data.LONGHAUL_BODY_LIMIT_BYTES),
    },
    listenStreams: data.LONGHAUL_MAX_LISTEN_STREAMS,
    stateMs: data.LONGHAUL_REQUEST_STATE_MS,
    pageSize: data.LONGHAUL_PAGE_SIZE,
    ...(data.LONGHAUL_RESULT_CHARACTERS > 0 && { resultCharacters: data.LONGHAUL_RESULT_CHARACTERS }),
    auditsCallers: data.LONGHAUL_AUDIT === 'all',
    patienceMs: PATIENCE_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    maxQueued: data.LONGHAUL_MAX_QUEUED,
  };
}
