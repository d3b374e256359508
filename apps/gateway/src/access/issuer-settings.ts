/** Who issues tokens, as `LONGHAUL_ISSUERS` says. */
import { ConfigError } from '@longhaul/runtime/environment';
import { isLoopback } from '@longhaul/runtime/host-check';
import { z } from 'zod';
import { jsonSetting } from '@longhaul/runtime/json-setting';

/** Signatures that only their issuer can make. What one makes with a shared secret, anyone could who may check it. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const;

const DEFAULT_ALGORITHMS: readonly (typeof ALGORITHMS)[number][] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** What clocks differ by that nobody sets, and more than those that are set do. */
const DEFAULT_LEEWAY_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whether nobody on the way can read or change what goes there. Names under `localhost` never leave the machine (RFC 6761, 6.3). */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isHere = isLoopback(hostname) || hostname.endsWith('.localhost');
  return username + password === '' && (protocol === 'https:' || (protocol === 'http:' && isHere));
}

const url = z.string().refine(isSecureUrl, 'must be an https: URL, or an http: one of this machine, without a user');
const name = z.string().min(1).max(256);

/** The claims that say something. */
const claims = z
  .strictObject({
    subject: name.default('sub'),
    scopes: name.default('scope'),
    client: name.default('client_id'),
    tenant: name.optional(),
    /** Those that features get as they are. */
    pass: z.array(name).max(32).default([]),
  })
  .prefault({});

const introspection = z.strictObject({
  url,
  clientId: z.string().min(1),
  /** The name of the variable that has it, so that it need not stand here. */
  clientSecretEnv: z.string().regex(/^\w+$/, 'must be the name of a variable'),
  /** How long an answer is gone by: a token that is revoked is let in for so long. */
  cacheMs: z.int().min(0).max(60_000).default(10_000),
});

const issuer = z.strictObject({
  issuer: url.refine((text) => !/[?#]/.test(text), 'must have no query and no fragment, as RFC 8414 says of issuers'),
  /** What tokens may name as their audience. @defaultValue the URL of the endpoint */
  audiences: z.array(z.string().min(1)).min(1).optional(),
  algorithms: z
    .array(z.enum(ALGORITHMS))
    .min(1)
    .default([...DEFAULT_ALGORITHMS]),
  /** What the header of a token says it is (`typ`). @defaultValue `at+jwt`, or `JWT` where the claims are those of an access token */
  type: z.string().min(1).optional(),
  /** How far the clock of the issuer may be off. */
  leewayMs: z
    .int()
    .min(0)
    .max(5 * 60_000)
    .default(DEFAULT_LEEWAY_MS),
  /** Where its keys are. @defaultValue where its metadata says */
  jwksUri: url.optional(),
  /** How long known keys are used while new ones cannot be fetched. */
  staleMs: z.int().min(0).max(DAY_MS).default(HOUR_MS),
  claims,
  /** Whether its tokens have to be bound to a key of the client (RFC 9449). Those that are need a proof in any case. */
  dpop: z.enum(['accepted', 'required']).default('accepted'),
  /** For tokens that only the issuer can read. */
  introspection: introspection.optional(),
});

/** One issuer. Times are milliseconds. */
export type IssuerSettings = Readonly<z.output<typeof issuer>>;

const issuers = z
  .array(issuer)
  .min(1, 'names no issuer')
  .max(32)
  .superRefine((all, context) => {
    if (new Set(all.map((one) => one.issuer)).size < all.length) context.addIssue('names an issuer twice');
    if (all.filter((one) => one.introspection !== undefined).length > 1)
      context.addIssue('has several issuers with introspection: nobody could say which of them to ask about a token that names none');
  });

/** The setting: a list of issuers as JSON, or the path of a file with it. */
export const issuersSetting = jsonSetting(issuers);

/** One issuer, with the secret that it is asked with. */
export type IssuerConfig = Omit<IssuerSettings, 'introspection'> & {
  readonly introspection?: NonNullable<IssuerSettings['introspection']> & { readonly clientSecret: string };
};

/** The issuers with their secrets, which variables of their own have. @throws ConfigError when one is not set */
export function withSecrets(issuers: readonly IssuerSettings[], env: NodeJS.ProcessEnv): readonly IssuerConfig[] {
  return issuers.map(({ introspection, ...settings }) => {
    if (introspection === undefined) return settings;
    const clientSecret = env[introspection.clientSecretEnv] ?? '';
    if (clientSecret === '')
      throw new ConfigError(`LONGHAUL_ISSUERS: clientSecretEnv of ${settings.issuer}: ${introspection.clientSecretEnv} is not set`);
    return { ...settings, introspection: { ...introspection, clientSecret } };
  });
}
