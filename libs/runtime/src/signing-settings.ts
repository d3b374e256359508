/** Settings of what a deployment signs and seals, and of the address under which clients know it: for all processes that make links. */
import { z } from 'zod';
import { isLoopback } from './host-check.js';
import { isPlaceholder } from './placeholder.js';
import { list, settings } from './settings.js';
import { OWN_SECRET } from './tokens.js';

/** The settings in the words of the code. */
export interface SigningConfig {
  /** The endpoint's URL for clients, issuers, and people who open links. */
  readonly publicUrl?: string;
  /**
   * Signs the ids of requests to clients, and seals `requestState` and links. Absent: a secret that all processes share through the store.
   */
  readonly secret?: string;
  /** Texts that were signed or sealed with these are still accepted. */
  readonly oldSecrets: readonly string[];
}

const secret = z
  .string()
  .min(16, { error: 'must have at least 16 characters', abort: true })
  .refine((text) => !isPlaceholder(text), `is a placeholder: ${OWN_SECRET}`);

/** Whether the connection is protected against reading and changing. Names under `localhost` never leave the machine (RFC 6761, 6.3). */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isHere = isLoopback(hostname) || hostname.endsWith('.localhost');
  return username + password === '' && (protocol === 'https:' || (protocol === 'http:' && isHere));
}

/** The variable that workers read too. A slash at the end of the URL is ignored. */
export const publicUrlVariable = settings('listening', {
  LONGHAUL_PUBLIC_URL: z
    .string()
    .refine(
      (text) => isSecureUrl(text) && !/[?#]/.test(text),
      'must be the URL of the endpoint as clients know it, such as https://mcp.example.com/mcp: https:, or http: of this machine, without a query',
    )
    .transform((text) => new URL(text).href.replace(/\/+$/, ''))
    .optional()
    .meta({
      allowed: 'an `https:` URL, or `http:` of this machine',
      description:
        'The URL of your endpoint for clients, such as `https://mcp.example.com/mcp`. [Links to questions](questions.md#links-to-questions) and [signals](signals.md) need it',
    }),
});

/** The variables. */
export const signingVariables = {
  ...publicUrlVariable,
  ...settings('callers', {
    LONGHAUL_SECRET: secret.optional().meta({
      allowed: 'at least 16 characters, no placeholder',
      description: 'Signs request ids, `requestState` and links to questions. Without it, your gateways share one in their store',
    }),
    LONGHAUL_OLD_SECRETS: list.pipe(z.array(secret)).meta({
      allowed: 'secrets, separated by commas',
      description: 'Earlier secrets that are still accepted: see [another secret](#another-secret)',
    }),
  }),
};

/** The parsed variables. */
export function signingConfig(data: z.output<z.ZodObject<typeof signingVariables>>): SigningConfig {
  return {
    ...(data.LONGHAUL_PUBLIC_URL !== undefined && { publicUrl: data.LONGHAUL_PUBLIC_URL }),
    ...(data.LONGHAUL_SECRET !== undefined && { secret: data.LONGHAUL_SECRET }),
    oldSecrets: data.LONGHAUL_OLD_SECRETS,
  };
}
