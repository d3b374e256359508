/** The environment variables of a gateway: no other module of it names one, its default or its limits. */
import { accessVariables, sharedVariables } from '@longhaul/runtime/environment';
import { isLoopback } from '@longhaul/runtime/host-check';
import { JSON_OR_PATH, list, optionalWholeNumber, proxyHops, settings, text, wholeNumber, yesOrNo } from '@longhaul/runtime/settings';
import { signingVariables } from '@longhaul/runtime/signing-settings';
import { tokenList } from '@longhaul/runtime/tokens';
import type { QuestionKind } from '@longhaul/tasks';
import { creationVariables } from '@longhaul/tasks/creation-settings';
import { z } from 'zod';
import { issuersSetting } from './access/issuer-settings.js';
import { scopesSetting } from './access/scope-settings.js';
import { ON_ABANDONED } from './rpc/plain-calls/abandoned-call.js';
import { knownClientsSetting } from './rpc/plain-calls/known-clients.js';
import { DEFAULT_NAME } from './server-identity.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1_024 * 1_024;

/** Shorter than the limit that most clients have, which is a minute. */
export const SYNC_WAIT_MS = 45_000;

const tokens = tokenList<string>({ form: 'name:token pairs separated by commas', holderOf: (name) => name });

const QUESTION_KINDS: readonly QuestionKind[] = ['elicitation', 'sampling', 'roots'];

const keptQuestions = list.transform((names, context): readonly QuestionKind[] => {
  if (names.length === 0) return ['elicitation'];
  if (names.join() === 'none') return [];
  const unknown = names.find((name) => !QUESTION_KINDS.includes(name as QuestionKind));
  if (unknown !== undefined) context.addIssue(`must be none, or some of ${QUESTION_KINDS.join(', ')}, separated by commas`);
  return [...new Set(names as QuestionKind[])];
});

const served = settings('served', {
  LONGHAUL_SERVER_NAME: text(/^[\w. -]{1,64}$/, '1 to 64 letters, digits, dots, dashes, underscores or spaces')
    .default(DEFAULT_NAME)
    .describe('The name of your server for clients'),
  LONGHAUL_SERVER_TITLE: text(/^[^\p{Cc}]{1,128}$/u, '1 to 128 characters in one line')
    .optional()
    .describe('The title that people see. By default `Longhaul`, if you do not change the name'),
  LONGHAUL_SERVER_VERSION: text(/^[\w.+-]{1,64}$/, '1 to 64 letters, digits, dots, dashes, pluses or underscores')
    .optional()
    .describe("The version of your server. By default Longhaul's"),
  LONGHAUL_SERVER_ICON: z
    .string()
    .max(16_384, 'must have at most 16384 characters')
    .regex(/^(https:\/\/[^\s]+|data:image\/[\w.+-]+[;,][^\s]*)$/, 'must be an https: URL or a data: URI of an image')
    .optional()
    .meta({ allowed: 'an `https:` URL or `data:` URI of an image, at most 16384 characters', description: 'An icon of your server' }),
  LONGHAUL_INSTRUCTIONS: z.string().max(16_384, 'must have at most 16384 characters').optional().meta({
    allowed: 'at most 16384 characters',
    description: "A text for clients' models. By default the `instructions` of your modules",
  }),
});

const listening = settings('listening', {
  PORT: wholeNumber(0, 65_535, 3_000).describe('The port of your endpoint; 0 takes a free one'),
  LONGHAUL_ALLOWED_HOSTS: list.meta({
    allowed: 'names, with or without a port, separated by commas; `*` for all',
    description: 'More `Host` headers to serve, besides this machine and `HOST`. Set it behind a proxy that passes the outer name',
  }),
  LONGHAUL_ALLOWED_ORIGINS: list.meta({
    allowed: 'origins such as `https://app.example.com`, separated by commas; `*` for all',
    description: 'More origins to serve, for [pages in browsers](#pages-in-browsers). Requests without an `Origin` are always served',
  }),
  LONGHAUL_PROXY_HOPS: proxyHops.describe(
    'The number of your proxies that add to `X-Forwarded-For`. Too few: all clients are one address. Too many: a client can claim any address',
  ),
});

const callers = settings('callers', {
  LONGHAUL_TOKENS: tokens.meta({
    allowed: '`name:token` pairs separated by commas; tokens of 16 to 512 characters',
    description: 'Your callers and their tokens, for `Authorization: Bearer <token>`. Tasks and sessions belong to the name',
  }),
  LONGHAUL_ISSUERS: issuersSetting.meta({
    allowed: JSON_OR_PATH,
    description: 'Your authorization servers: see [authentication](authentication.md). You need `LONGHAUL_PUBLIC_URL` too',
  }),
  LONGHAUL_SCOPES: scopesSetting.meta({
    allowed: JSON_OR_PATH,
    description: 'Scopes that requests and methods need: see [authentication](authentication.md#ask-for-scopes)',
  }),
  LONGHAUL_ALLOW_ANONYMOUS: yesOrNo.describe(
    '`1` lets everyone in, on any address. You cannot set it with `LONGHAUL_TOKENS` or `LONGHAUL_ISSUERS`',
  ),
  LONGHAUL_STATELESS: yesOrNo.describe('`1` for no sessions: see [stateless mode](protocol-versions.md#stateless-mode)'),
  LONGHAUL_REQUEST_STATE_MS: wholeNumber(MINUTE_MS, 7 * DAY_MS, 15 * MINUTE_MS).describe(
    'How long a `requestState` of 2026-07-28 is valid, if its task does not wait longer',
  ),
  LONGHAUL_AUDIT: z
    .enum(['operators', 'all'], 'must be operators or all')
    .default('operators')
    .describe('Whose actions [the audit log](audit-log.md) records: operators, or callers too'),
});

const waiting = settings('waiting', {
  LONGHAUL_STRICT_TASKS: yesOrNo.describe(
    "`1` lists tools with `task: 'required'` as required, and refuses plain calls of them. By default they are listed as optional",
  ),
  LONGHAUL_BARE_PROTOCOL: yesOrNo.describe(
    '`1` serves only the protocol: plain calls wait for their tasks, there are no tools for tasks, and no questions are kept',
  ),
  LONGHAUL_KEEP_QUESTIONS: keptQuestions.meta({
    allowed: '`none`, or some of `elicitation`, `sampling`, `roots`, separated by commas',
    description: '[Questions that wait](questions.md) if your client cannot be asked. Others fail with `CLIENT_LACKS_CAPABILITY`',
  }),
  LONGHAUL_SYNC_WAIT_MS: wholeNumber(0, 60 * MINUTE_MS, SYNC_WAIT_MS).describe(
    'How long a plain call of a durable tool waits before it is [handed over](clients.md#handed-over). Stay below the limit of your clients, mostly 60 s',
  ),
  LONGHAUL_LONGEST_WAIT_MS: optionalWholeNumber(0, DAY_MS).describe(
    'The longest wait of a plain call, for any client, if your proxy ends requests. By default an hour, or a lower `LONGHAUL_SYNC_WAIT_MS`',
  ),
  LONGHAUL_SIGN_OF_LIFE_MS: wholeNumber(0, 10 * MINUTE_MS, 15_000)
    .refine((ms) => ms === 0 || ms >= 1_000, 'must be 0, or from 1000')
    .meta({
      allowed: '`0`, or 1000 to 600000',
      description: 'The longest pause between progress for a waiting call; `0` sends only what your tools report',
    }),
  LONGHAUL_ON_ABANDONED: z
    .enum(ON_ABANDONED, `must be one of ${ON_ABANDONED.join(', ')}`)
    .default('auto')
    .describe('What happens to a task when its client [gives up](client-limits.md#when-a-client-gives-up)'),
  LONGHAUL_KNOWN_CLIENTS: knownClientsSetting.meta({
    allowed: JSON_OR_PATH,
    description: '[How long your clients wait](client-limits.md#add-your-client)',
  }),
  LONGHAUL_PAGE_SIZE: wholeNumber(1, 10_000, 100).describe('Entries on a page of a list of tools, prompts, resources or templates'),
  LONGHAUL_RESULT_CHARACTERS: wholeNumber(0, 10_000_000, 0).describe(
    'The length from which clients that do not follow tasks get a result in [parts](clients.md#long-results); 0 for no parts',
  ),
});

const requests = settings('requests', {
  LONGHAUL_BODY_LIMIT_BYTES: wholeNumber(1_024, 64 * MIB, 4 * MIB).describe('The largest body of a request'),
  LONGHAUL_BODY_LIMIT_VALUES: wholeNumber(1_000, 10_000_000, 100_000).describe(
    'The most values in the JSON of a body: members, items, objects and lists',
  ),
  LONGHAUL_BODIES_IN_WORK_BYTES: wholeNumber(MIB, 16 * 1_024 * MIB, 64 * MIB).describe(
    'The memory for all bodies in work: two bytes a character and 64 a value. One caller may use a quarter, one address half',
  ),
  LONGHAUL_MAX_OPEN_STREAMS: wholeNumber(2, 10_000, 16).describe(
    'Open event streams of a session: the standalone one, and each request that waits longer than a second',
  ),
  // Each session is kept for a day: a day's smallest sessions take 50 MiB.
  LONGHAUL_MAX_SESSIONS_PER_HOUR: wholeNumber(1, 10_000_000, 2_000).describe(
    'Sessions that a caller, or an anonymous address, may open in an hour. Each KiB of client data beyond the first counts as one more',
  ),
  LONGHAUL_REQUEST_TIMEOUT_MS: wholeNumber(1_000, 60 * MINUTE_MS, MINUTE_MS).describe(
    'How long a client may take to send a request. Then it gets 408',
  ),
  LONGHAUL_MAX_CONNECTIONS: wholeNumber(1, 1_000_000, 10_000).describe(
    'Connections of one gateway. One address gets at most half of them while `LONGHAUL_PROXY_HOPS` is 0',
  ),
  LONGHAUL_MAX_LISTEN_STREAMS: wholeNumber(1, 1_024, 64).describe(
    'Open `subscriptions/listen` streams of a caller, or an anonymous address, at a gateway. One tenant may have 256, all callers 1,024',
  ),
  LONGHAUL_MAX_REQUESTS_PER_SECOND: wholeNumber(0, 1_000_000, 1_000).describe(
    'Requests of one caller in a second, at all gateways; 0 for no limit. See [limits of requests](fixed-limits.md#limits-of-requests)',
  ),
  LONGHAUL_MAX_REQUEST_BURST: wholeNumber(1, 1_000_000, 2_000).describe('Requests that a caller may make at once'),
});

const tasks = settings('tasks', {
  LONGHAUL_MAX_QUEUED: wholeNumber(1, 10_000_000, 100_000).describe(
    'Passes that may wait for a worker when a task is created, also of paused tools. With more, new tasks fail with [`QUEUE_FULL`](errors.md)',
  ),
});

/** The schema of all variables of a gateway. */
export const environment = z
  .object({
    ...sharedVariables,
    ...creationVariables,
    ...signingVariables,
    ...accessVariables,
    ...served,
    ...listening,
    ...callers,
    ...waiting,
    ...requests,
    ...tasks,
  })
  .refine((data) => isLoopback(data.HOST) || knowsCallers(data) || data.LONGHAUL_ALLOW_ANONYMOUS, {
    path: ['HOST'],
    message:
      'must be a loopback address unless callers have names: set LONGHAUL_TOKENS or LONGHAUL_ISSUERS, or let everyone in with LONGHAUL_ALLOW_ANONYMOUS=1',
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
