/** Reads the environment variables of Fetch. */
import { networkVariables, parseVariables } from '@longhaul/runtime/environment';
import type { AddressRange } from '@longhaul/runtime/guarded-agent';
import { settings, text, wholeNumber, yesOrNo } from '@longhaul/runtime/settings';
import { z } from 'zod';

/** The settings of Fetch. */
export interface FetchSettings {
  /** Instead of the two user agents of the reference server. */
  readonly userAgent?: string | undefined;
  readonly ignoreRobots: boolean;
  /** Whether pages may come from private, local and other special addresses too. */
  readonly allowPrivate: boolean;
  /** Addresses that count as private, in addition to private ones. */
  readonly privateNetworks: readonly AddressRange[];
  /** Through which all requests go: `http:`, `https:` or `socks5:`. */
  readonly proxyUrl?: string | undefined;
  /** Most bytes of a page, decompressed. */
  readonly maxBytes: number;
  /** Most bytes of HTML that are simplified. */
  readonly maxHtmlBytes: number;
}

const MIB = 1024 * 1024;

const environment = z.object({
  ...networkVariables,
  ...settings('tools', {
    LONGHAUL_FETCH_USER_AGENT: text(/^[\x20-\x7e]{1,256}$/, '1 to 256 ASCII characters')
      .optional()
      .describe('The user agent of `fetch`, instead of `ModelContextProtocol/1.0 (…)`. Its first word finds rules of robots.txt'),
    LONGHAUL_FETCH_IGNORE_ROBOTS: yesOrNo.describe('`1` lets the tool `fetch` ignore robots.txt'),
    LONGHAUL_FETCH_ALLOW_PRIVATE: yesOrNo.describe('`1` lets `fetch` read from private and special addresses too'),
    LONGHAUL_FETCH_PROXY_URL: z
      .string()
      // Desktop settings write socks:// for it.
      .transform((url) => url.replace(/^socks:\/\//i, 'socks5://'))
      .refine((url) => ['http:', 'https:', 'socks5:'].includes(URL.parse(url)?.protocol ?? ''), 'must be an http, https or socks5 URL')
      .optional()
      .meta({
        allowed: 'an `http:`, `https:` or `socks5:` URL',
        description: 'Your proxy for all requests of `fetch`. It resolves hosts itself, and decides what it connects to',
      }),
    LONGHAUL_FETCH_MAX_BYTES: wholeNumber(1, 100 * MIB, 10 * MIB).describe(
      'The largest page that `fetch` reads, decompressed. All pages at once may have eight times as much, the pages of a caller four times',
    ),
    LONGHAUL_FETCH_MAX_HTML_BYTES: wholeNumber(1, 10 * MIB, 2 * MIB).describe(
      'The most HTML that `fetch` simplifies. Of a larger page you get the beginning as it is',
    ),
  }),
});

/** @throws ConfigError naming each wrong variable, what it is and what it may be */
export function readSettings(env: NodeJS.ProcessEnv): FetchSettings {
  const data = parseVariables(environment, env);
  return {
    userAgent: data.LONGHAUL_FETCH_USER_AGENT,
    ignoreRobots: data.LONGHAUL_FETCH_IGNORE_ROBOTS,
    allowPrivate: data.LONGHAUL_FETCH_ALLOW_PRIVATE,
    privateNetworks: data.LONGHAUL_PRIVATE_NETWORKS,
    proxyUrl: data.LONGHAUL_FETCH_PROXY_URL,
    maxBytes: data.LONGHAUL_FETCH_MAX_BYTES,
    maxHtmlBytes: data.LONGHAUL_FETCH_MAX_HTML_BYTES,
  };
}
