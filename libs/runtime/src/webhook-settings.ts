/**
 * Defines `LONGHAUL_WEBHOOKS`: the endpoints that are notified of tasks, and the hosts that a call may name for a webhook of its own. Gateways
 * read from it which endpoints a new task notifies, and workers the URLs and the secrets.
 */
import { z } from 'zod';
import { isPlaceholder } from './placeholder.js';
import { jsonSetting } from './json-setting.js';

/** What webhooks report, and what they may contain; `@longhaul/tasks` gives these words their meaning. */
const EVENTS = ['task.input_required', 'task.completed', 'task.failed', 'task.cancelled'] as const;
const CONTENTS = ['results', 'questions'] as const;

const MAX_ENDPOINTS = 1_000;
const MAX_SELECTED = 1_000;
const MAX_URL_LENGTH = 2_048;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** As Standard Webhooks has it. */
const SECRET_BYTES = { least: 24, most: 64 };
const SECRET_FORM = `must be whsec_ and the base64 of ${SECRET_BYTES.least} to ${SECRET_BYTES.most} random bytes`;

/** The secrets that a receiver verifies messages with. */
export const webhookSecrets = z
  .array(
    z
      .string(SECRET_FORM)
      .refine((text) => secretBytes(text) !== undefined, SECRET_FORM)
      .refine((text) => !isPlaceholder(text.slice('whsec_'.length)), 'is a placeholder: make one of your own'),
  )
  .min(1, 'needs a secret')
  .max(2, 'has one secret, or two while you replace one');

const events = z.array(z.enum(EVENTS, `must be some of ${EVENTS.join(', ')}`)).min(1, 'names no event');
const include = z.array(z.enum(CONTENTS, `must be some of ${CONTENTS.join(', ')}`)).default([]);
const selected = z
  .array(z.string().min(1).max(1_024))
  .min(1, 'names nothing')
  .max(MAX_SELECTED, `names more than ${MAX_SELECTED}`)
  .optional();

const endpoint = z
  .strictObject({
    url: z.string(),
    secrets: webhookSecrets,
    events: events.default([...EVENTS]),
    tenants: selected,
    owners: selected,
    tools: selected,
    include,
    allowPrivate: z.boolean().default(false),
  })
  .superRefine(({ url, allowPrivate }, context) => {
    const problem = problemOfUrl(url, allowPrivate);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['url'], message: problem });
  });

const hostOfCalls = z.strictObject({ secrets: webhookSecrets, include, allowPrivate: z.boolean().default(false) });

/** Values by names that fit. */
function named<Value extends z.ZodType>(value: Value, fits: (name: string) => boolean, form: string) {
  return z
    .record(z.string(), value)
    .superRefine((all, context) => {
      const names = Object.keys(all);
      if (names.length > MAX_ENDPOINTS) context.addIssue(`has more than ${MAX_ENDPOINTS} entries`);
      for (const name of names) if (!fits(name)) context.addIssue({ code: 'custom', path: [name], message: form });
    })
    .prefault({});
}

const isEndpointName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name);
/** As `URL.host` has it; the port of the scheme is left out there. */
const isHost = (name: string): boolean =>
  !name.includes('*') && ['https', 'http'].some((scheme) => hostOf(`${scheme}://${name}/`) === name);

/** One endpoint of the settings. */
export type WebhookEndpoint = Readonly<z.output<typeof endpoint>>;

/** A host that calls may name, and how what they name is sent. */
export type CallsHost = Readonly<z.output<typeof hostOfCalls>>;

/** The setting: an object as JSON, or the path of a file with it. */
export const webhooksSetting = jsonSetting(
  z.strictObject({
    endpoints: named(endpoint, isEndpointName, 'must have a name of 1 to 64 letters, digits, dashes and underscores'),
    calls: named(hostOfCalls, isHost, 'must be a host in lower case, such as hooks.example.com or hooks.example.com:8443'),
  }),
);

/** Endpoints by their names, and hosts that calls may name. */
export interface WebhooksConfig {
  readonly endpoints: Readonly<Record<string, WebhookEndpoint>>;
  readonly calls: Readonly<Record<string, CallsHost>>;
}

/** Why a URL cannot be that of a webhook; nothing if it can. @param allowPrivate whether it may be one without TLS */
export function problemOfUrl(text: string, allowPrivate: boolean): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) return 'must be an https: URL';
  if (url.protocol === 'http:' && !allowPrivate) return 'must be an https: URL; http: is allowed only with allowPrivate';
  if (url.username !== '' || url.password !== '') return 'must not contain a name or a password';
  if (url.hash !== '') return 'must not have a fragment';
  return undefined;
}

/** The host of a URL with its port, as `calls` names it. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** The bytes of a secret; nothing if it does not have the form. */
export function secretBytes(text: string): Buffer | undefined {
  const [, base64] = SECRET.exec(text) ?? [];
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= SECRET_BYTES.least && bytes.length <= SECRET_BYTES.most ? bytes : undefined;
}
