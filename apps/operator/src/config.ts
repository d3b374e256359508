/** Settings of the operator API. */
import {
  accessVariables,
  ConfigError,
  networkVariables,
  parseVariables,
  sharedConfig,
  type SharedConfig,
  sharedVariables,
} from '@longhaul/runtime/environment';
import { isLoopback } from '@longhaul/runtime/host-check';
import { type ScheduleSettings, scheduleSettings, scheduleVariables } from '@longhaul/runtime/schedules';
import { address, JSON_OR_PATH, list, optionalWholeNumber, proxyHops, settings } from '@longhaul/runtime/settings';
import { type SigningConfig, signingConfig, signingVariables } from '@longhaul/runtime/signing-settings';
import { tokenList } from '@longhaul/runtime/tokens';
import { type CreationSettings, creationSettings, creationVariables } from '@longhaul/tasks/creation-settings';
import { z } from 'zod';
import type { Operator } from './access/door.js';
import { type AlertSettings, alertsSetting } from './alerts/alert-settings.js';
import { type LinkTemplates, linkTemplates, linkVariables } from './links/link-settings.js';

/** The settings of an operator process. */
export interface OperatorConfig extends SharedConfig, CreationSettings, SigningConfig {
  /** Where the API listens; absent if it does not listen. */
  readonly opsPort?: number;
  readonly opsHost: string;
  /** The operators, by token. Absent: the holder of the data folder's token. */
  readonly opsTokens?: ReadonlyMap<string, Operator>;
  /** Further host names of the API. */
  readonly opsAllowedHosts: readonly string[];
  /** Proxies in front of the API, whose `X-Forwarded-For` is believed. */
  readonly proxyHops: number;
  /** Whether operators may answer questions that tasks ask their clients. */
  readonly opsAnswers: boolean;
  /** How many unknown tokens an address may send in a minute. */
  readonly failuresPerMinute: number;
  /** How many schedules there may be, and how long their history is, as at the workers. */
  readonly schedules: ScheduleSettings;
  /** Sessions that an owner may have open, as at the gateways. */
  readonly openSessions: number;
  /** More addresses that alerts do not go to. */
  readonly privateNetworks: z.output<typeof networkVariables.LONGHAUL_PRIVATE_NETWORKS>;
  /** Where alerts go, and their limits. Absent: nowhere. */
  readonly alerts?: AlertSettings;
  /** Links from a task to its trace and its log lines. */
  readonly linkTemplates: LinkTemplates;
  /** The folder with the generated token, which is used if none is configured. */
  readonly dataDir?: string;
}

const tokens = tokenList<Operator>({
  form: 'name:token:read, name:token:operate or name:token:start, separated by commas; start=tool+tool names the only tools',
  suffix: /^:(read|operate|start(?:=[^+]+(?:\+[^+]+)*)?)$/,
  holderOf(name, text) {
    if (text === 'read' || text === 'operate') return { name, role: text };
    const [, tools] = text.split('=', 2);
    return { name, role: 'start', ...(tools !== undefined && { tools: tools.split('+') }) };
  },
});

/** The environment variables of an operator process. */
export const environment = z
  .object({
    ...sharedVariables,
    ...creationVariables,
    ...signingVariables,
    ...scheduleVariables,
    ...accessVariables,
    ...networkVariables,
    ...linkVariables,
    ...settings('operators', {
      LONGHAUL_OPS_PORT: optionalWholeNumber(0, 65_535).describe(
        'The port of the operator API; 0 takes a free one. `npm start` serves it if you set this. `npx longhaul operator` uses 3010 by default',
      ),
      LONGHAUL_OPS_HOST: address.meta({
        allowed: 'a loopback address, or any with `LONGHAUL_OPS_TOKENS`',
        description: 'The address to listen on',
      }),
      LONGHAUL_OPS_TOKENS: tokens.meta({
        allowed: '`name:token:read`, `…:operate` or `…:start`, separated by commas; tokens of 16 to 512 characters',
        description:
          'Who may see tasks (`read`), change them (`operate`), or [start tools](starting-tasks.md) (`start`, or `start=TOOL+TOOL`). Without it: the token in `operator.token` of `LONGHAUL_DATA_DIR`',
      }),
      LONGHAUL_OPS_ALLOWED_HOSTS: list.meta({
        allowed: 'names, with or without a port, separated by commas; `*` for all',
        description: 'More `Host` headers to serve, besides this machine and `LONGHAUL_OPS_HOST`, and hosts of served pages',
      }),
      LONGHAUL_OPS_PROXY_HOPS: proxyHops.describe('The number of your proxies before the operator API, as `LONGHAUL_PROXY_HOPS`'),
      LONGHAUL_OPS_ANSWERS: z
        .enum(['0', '1'], 'must be 0 or 1')
        .transform((value) => value === '1')
        .default(true)
        .describe('`0` if your operators must not answer questions'),
      LONGHAUL_ALERTS: alertsSetting.meta({ allowed: JSON_OR_PATH, description: 'Where your [alerts](alerts.md) go, and their limits' }),
    }),
  })
  .refine(({ LONGHAUL_OPS_HOST, LONGHAUL_OPS_TOKENS }) => isLoopback(LONGHAUL_OPS_HOST) || LONGHAUL_OPS_TOKENS?.size, {
    path: ['LONGHAUL_OPS_HOST'],
    message: 'must be a loopback address unless LONGHAUL_OPS_TOKENS names operators',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'LONGHAUL_OPS_TOKENS'),
  });

/** @throws ConfigError that names each wrong variable, its meaning and its permitted values */
export function readConfig(env: NodeJS.ProcessEnv): OperatorConfig {
  const data = parseVariables(environment, env);
  return {
    ...sharedConfig(data),
    ...creationSettings(data),
    ...signingConfig(data),
    ...(data.LONGHAUL_OPS_PORT !== undefined && { opsPort: data.LONGHAUL_OPS_PORT }),
    opsHost: data.LONGHAUL_OPS_HOST,
    ...(data.LONGHAUL_OPS_TOKENS !== undefined && { opsTokens: data.LONGHAUL_OPS_TOKENS }),
    opsAllowedHosts: data.LONGHAUL_OPS_ALLOWED_HOSTS,
    proxyHops: data.LONGHAUL_OPS_PROXY_HOPS,
    opsAnswers: data.LONGHAUL_OPS_ANSWERS,
    failuresPerMinute: data.LONGHAUL_MAX_FAILED_AUTHENTICATIONS,
    schedules: scheduleSettings(data),
    openSessions: data.LONGHAUL_MAX_OPEN_SESSIONS,
    privateNetworks: data.LONGHAUL_PRIVATE_NETWORKS,
    linkTemplates: linkTemplates(data),
    ...(data.LONGHAUL_ALERTS !== undefined && { alerts: data.LONGHAUL_ALERTS }),
    ...(data.LONGHAUL_DATA_DIR !== undefined && { dataDir: data.LONGHAUL_DATA_DIR }),
  };
}

/** The port that the API must listen on. @throws ConfigError when it is not configured */
export function requirePort({ opsPort }: OperatorConfig): number {
  if (opsPort === undefined)
    throw new ConfigError('LONGHAUL_OPS_PORT is not set: the port that the operator API listens on, such as 3010.');
  return opsPort;
}
