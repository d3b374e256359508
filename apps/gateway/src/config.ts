import {
  list,
  maxFailedAuthentications,
  maxOpenSessions,
  optionalWholeNumber,
  parseVariables,
  proxyHops,
  sharedConfig,
  type SharedConfig,
  sharedVariables,
  wholeNumber,
  yesOrNo,
} from '@longhaul/runtime/environment';
import { isLoopback } from '@longhaul/runtime/host-check';
import { type SigningConfig, signingConfig, signingVariables } from '@longhaul/runtime/signing-settings';
import { tokenList } from '@longhaul/runtime/tokens';
import type { QuestionKind } from '@longhaul/tasks';
import { type CreationSettings, creationSettings, creationVariables } from '@longhaul/tasks/creation-settings';
import { z } from 'zod';
import { issuersSetting, withSecrets } from './access/issuer-settings.js';
import type { AccessConfig } from './access/open-access.js';
import { scopesSetting } from './access/scope-settings.js';
import { ON_ABANDONED, type OnAbandoned } from './rpc/plain-calls/abandoned-call.js';
import { KNOWN_CLIENTS, type KnownClient, knownClientsSetting } from './rpc/plain-calls/known-clients.js';
import { DEFAULT_NAME, type ServerIdentity } from './server-identity.js';

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

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Shorter than the limit that most clients have, which is a minute. */
const SYNC_WAIT_MS = 45_000;
const LONGEST_WAIT_MS = 60 * MINUTE_MS;

const tokens = tokenList<string>({ form: 'name:token pairs separated by commas', holderOf: (name) => name });

const QUESTION_KINDS: readonly QuestionKind[] = ['elicitation', 'sampling', 'roots'];

const keptQuestions = list.transform((names, context): readonly QuestionKind[] => {
  if (names.length === 0) return ['elicitation'];
  if (names.join() === 'none') return [];
  const unknown = names.find((name) => !QUESTION_KINDS.includes(name as QuestionKind));
  if (unknown !== undefined) context.addIssue(`must be none, or some of ${QUESTION_KINDS.join(', ')}, separated by commas`);
  return [...new Set(names as QuestionKind[])];
});

/** The gateway's environment variables: the one place that names them, their defaults and limits. */
const environment = z
  .object({
    ...sharedVariables,
    ...creationVariables,
    PORT: wholeNumber(0, 65_535, 3_000),
    LONGHAUL_SERVER_NAME: z
      .string()
      .regex(/^[\w. -]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes, underscores or spaces')
      .default(DEFAULT_NAME),
    LONGHAUL_SERVER_TITLE: z
      .string()
      .regex(/^[^\p{Cc}]{1,128}$/u, 'must be 1 to 128 characters in one line')
      .optional(),
    LONGHAUL_SERVER_VERSION: z
      .string()
      .regex(/^[\w.+-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes, pluses or underscores')
      .optional(),
    LONGHAUL_SERVER_ICON: z
      .string()
      .max(16_384, 'must have at most 16384 characters')
      .regex(/^(https:\/\/[^\s]+|data:image\/[\w.+-]+[;,][^\s]*)$/, 'must be an https: URL or a data: URI of an image')
      .optional(),
    LONGHAUL_INSTRUCTIONS: z.string().max(16_384, 'must have at most 16384 characters').optional(),
    ...signingVariables,
    LONGHAUL_ALLOW_ANONYMOUS: yesOrNo,
    LONGHAUL_TOKENS: tokens,
    LONGHAUL_ISSUERS: issuersSetting,
    LONGHAUL_SCOPES: scopesSetting,
    LONGHAUL_ALLOWED_HOSTS: list,
    LONGHAUL_ALLOWED_ORIGINS: list,
    LONGHAUL_BODY_LIMIT_BYTES: wholeNumber(1_024, 64 * 1_024 * 1_024, 4 * 1_024 * 1_024),
    LONGHAUL_BODY_LIMIT_VALUES: wholeNumber(1_000, 10_000_000, 100_000),
    LONGHAUL_BODIES_IN_WORK_BYTES: wholeNumber(1_024 * 1_024, 16 * 1_024 * 1_024 * 1_024, 64 * 1_024 * 1_024),
    LONGHAUL_STATELESS: yesOrNo,
    LONGHAUL_STRICT_TASKS: yesOrNo,
    LONGHAUL_BARE_PROTOCOL: yesOrNo,
    LONGHAUL_KEEP_QUESTIONS: keptQuestions,
    LONGHAUL_SYNC_WAIT_MS: wholeNumber(0, 60 * MINUTE_MS, SYNC_WAIT_MS),
    LONGHAUL_LONGEST_WAIT_MS: optionalWholeNumber(0, DAY_MS),
    LONGHAUL_SIGN_OF_LIFE_MS: wholeNumber(0, 10 * MINUTE_MS, 15_000).refine((ms) => ms === 0 || ms >= 1_000, 'must be 0, or from 1000'),
    LONGHAUL_ON_ABANDONED: z.enum(ON_ABANDONED, `must be one of ${ON_ABANDONED.join(', ')}`).default('auto'),
    LONGHAUL_KNOWN_CLIENTS: knownClientsSetting,
    LONGHAUL_MAX_OPEN_STREAMS: wholeNumber(2, 10_000, 16),
    // Each session is kept for a day: a day's smallest sessions take 50 MiB.
    LONGHAUL_MAX_SESSIONS_PER_HOUR: wholeNumber(1, 10_000_000, 2_000),
    LONGHAUL_PROXY_HOPS: proxyHops,
    LONGHAUL_REQUEST_TIMEOUT_MS: wholeNumber(1_000, 60 * MINUTE_MS, MINUTE_MS),
    LONGHAUL_MAX_CONNECTIONS: wholeNumber(1, 1_000_000, 10_000),
    LONGHAUL_MAX_LISTEN_STREAMS: wholeNumber(1, 1_024, 64),
    LONGHAUL_REQUEST_STATE_MS: wholeNumber(MINUTE_MS, 7 * DAY_MS, 15 * MINUTE_MS),
    LONGHAUL_MAX_REQUESTS_PER_SECOND: wholeNumber(0, 1_000_000, 1_000),
    LONGHAUL_MAX_REQUEST_BURST: wholeNumber(1, 1_000_000, 2_000),
    LONGHAUL_MAX_OPEN_SESSIONS: maxOpenSessions,
    LONGHAUL_MAX_FAILED_AUTHENTICATIONS: maxFailedAuthentications,
    LONGHAUL_PAGE_SIZE: wholeNumber(1, 10_000, 100),
    LONGHAUL_RESULT_CHARACTERS: wholeNumber(0, 10_000_000, 0),
    LONGHAUL_AUDIT: z.enum(['operators', 'all'], 'must be operators or all').default('operators'),
    LONGHAUL_MAX_QUEUED: wholeNumber(1, 10_000_000, 100_000),
  })
  .refine((data) => isLoopback(data.HOST) || knowsCallers(data) || data.LONGHAUL_ALLOW_ANONYMOUS, {
    path: ['HOST'],
    message:
      'must be a loopback address as long as nobody has to say who they are; LONGHAUL_TOKENS or LONGHAUL_ISSUERS name who is let in, LONGHAUL_ALLOW_ANONYMOUS=1 lets everyone in who reaches it',
    // This check also runs when other variables are wrong, so that all mistakes are named at once.
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'LONGHAUL_TOKENS' || path?.[0] === 'LONGHAUL_ISSUERS'),
  })
  .refine((data) => !(knowsCallers(data) && data.LONGHAUL_ALLOW_ANONYMOUS), {
    path: ['LONGHAUL_ALLOW_ANONYMOUS'],
    message: 'lets everyone in, and LONGHAUL_TOKENS and LONGHAUL_ISSUERS only those whom they name: unset it, or them',
    when: () => true,
  })
  .refine(({ LONGHAUL_ISSUERS, LONGHAUL_PUBLIC_URL }) => LONGHAUL_ISSUERS === undefined || LONGHAUL_PUBLIC_URL !== undefined, {
    path: ['LONGHAUL_ISSUERS'],
    message: 'needs LONGHAUL_PUBLIC_URL, the URL of the endpoint as clients know it, such as https://mcp.example.com/mcp',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'LONGHAUL_PUBLIC_URL' || path?.[0] === 'LONGHAUL_ISSUERS'),
  })
  .refine(({ LONGHAUL_ISSUERS, LONGHAUL_SCOPES }) => LONGHAUL_SCOPES === undefined || LONGHAUL_ISSUERS !== undefined, {
    path: ['LONGHAUL_SCOPES'],
    message: 'are asked of the tokens of LONGHAUL_ISSUERS alone, and that is not set: other callers may do everything',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'LONGHAUL_SCOPES' || path?.[0] === 'LONGHAUL_ISSUERS'),
  });

/** Whether callers must authenticate. */
function knowsCallers({
  LONGHAUL_TOKENS,
  LONGHAUL_ISSUERS,
}: {
  readonly LONGHAUL_TOKENS?: ReadonlyMap<string, string> | undefined;
  readonly LONGHAUL_ISSUERS?: readonly unknown[] | undefined;
}): boolean {
  return LONGHAUL_TOKENS !== undefined || LONGHAUL_ISSUERS !== undefined;
}

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
