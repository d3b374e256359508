/** Settings of what a deployment signs and seals, and of the address under which clients know it: for all processes that make links. */
import { z } from 'zod';
import { list } from './environment.js';
import { isLoopback } from './host-check.js';
import { isPlaceholder } from './placeholder.js';
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

/** The variables. A slash at the end of the URL is ignored. */
export const signingVariables = {
  LONGHAUL_PUBLIC_URL: z
    .string()
    .refine(
      (text) => isSecureUrl(text) && !/[?#]/.test(text),
      'must be the URL of the endpoint as clients know it, such as https://mcp.example.com/mcp: https:, or http: of this machine, without a query',
    )
    .transform((text) => new URL(text).href.replace(/\/+$/, ''))
    .optional(),
  LONGHAUL_SECRET: secret.optional(),
  LONGHAUL_OLD_SECRETS: list.pipe(z.array(secret)),
};

/** The parsed variables. */
export function signingConfig(data: z.output<z.ZodObject<typeof signingVariables>>): SigningConfig {
  return {
    ...(data.LONGHAUL_PUBLIC_URL !== undefined && { publicUrl: data.LONGHAUL_PUBLIC_URL }),
    ...(data.LONGHAUL_SECRET !== undefined && { secret: data.LONGHAUL_SECRET }),
    oldSecrets: data.LONGHAUL_OLD_SECRETS,
  };
}
