/** Reads the issuers of tokens from `LONGHAUL_ISSUERS`. */
import { ConfigError } from '@longhaul/runtime/environment';
import { z } from 'zod';
import { jsonSetting } from '@longhaul/runtime/json-setting';
import { isSecureUrl } from '@longhaul/runtime/signing-settings';

/**
 * Signature algorithms with which only the issuer can sign. With a shared secret, everyone who can check a signature could also make one.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const;

const DEFAULT_ALGORITHMS: readonly (typeof ALGORITHMS)[number][] = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** More than clocks differ that are synchronized, and about as much as others. */
const DEFAULT_LEEWAY_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const url = z.string().refine(isSecureUrl, 'must be an https: URL, or an http: one of this machine, without a user');
const name = z.string().min(1).max(256);

/** The names of the claims that are used. */
const claims = z
  .strictObject({
    subject: name.default('sub'),
    scopes: name.default('scope'),
    client: name.default('client_id'),
    tenant: name.optional(),
    /** Claims that features receive unchanged. */
    pass: z.array(name).max(32).default([]),
  })
  .prefault({});

const introspection = z.strictObject({
  url,
  clientId: z.string().min(1),
  /** The name of the variable with the secret, so that the secret need not be in this setting. */
  clientSecretEnv: z.string().regex(/^\w+$/, 'must be the name of a variable'),
  /** How long an answer is used: a revoked token is accepted for that time. */
  cacheMs: z.int().min(0).max(60_000).default(10_000),
});

const issuer = z.strictObject({
  issuer: url.refine((text) => !/[?#]/.test(text), 'must have no query and no fragment, as RFC 8414 says of issuers'),
  /** The permitted audiences of tokens. @defaultValue the URL of the endpoint */
  audiences: z.array(z.string().min(1)).min(1).optional(),
  algorithms: z
    .array(z.enum(ALGORITHMS))
    .min(1)
    .default([...DEFAULT_ALGORITHMS]),
  /** The type in a token's header (`typ`). @defaultValue `at+jwt`, or `JWT` if the claims belong to an access token */
  type: z.string().min(1).optional(),
  /** How far the issuer's clock may differ. */
  leewayMs: z
    .int()
    .min(0)
    .max(5 * 60_000)
    .default(DEFAULT_LEEWAY_MS),
  /** The URL of its keys. @defaultValue the URL in its metadata */
  jwksUri: url.optional(),
  /** How long known keys are used while new ones cannot be fetched. */
  staleMs: z.int().min(0).max(DAY_MS).default(HOUR_MS),
  claims,
  /** Whether its tokens must be bound to a key of the client (RFC 9449). Bound tokens always need a proof. */
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
      context.addIssue('has several issuers with introspection: a token that is no JWT does not say which of them to ask');
  });

/** The setting: a list of issuers as JSON, or the path of a file with it. */
export const issuersSetting = jsonSetting(issuers);

/** One issuer, with the secret for requests to it. */
export type IssuerConfig = Omit<IssuerSettings, 'introspection'> & {
  readonly introspection?: NonNullable<IssuerSettings['introspection']> & { readonly clientSecret: string };
};

/** The issuers with their secrets, which are in separate variables. @throws ConfigError when one is not set */
export function withSecrets(issuers: readonly IssuerSettings[], env: NodeJS.ProcessEnv): readonly IssuerConfig[] {
  return issuers.map(({ introspection, ...settings }) => {
    if (introspection === undefined) return settings;
    const clientSecret = env[introspection.clientSecretEnv] ?? '';
    if (clientSecret === '')
      throw new ConfigError(`LONGHAUL_ISSUERS: clientSecretEnv of ${settings.issuer}: ${introspection.clientSecretEnv} is not set`);
    return { ...settings, introspection: { ...introspection, clientSecret } };
  });
}
