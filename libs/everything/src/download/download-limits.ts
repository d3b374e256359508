import type { AddressRange } from '@longhaul/runtime/guarded-agent';

/** The limits of a download and its allowed sources. */
export interface DownloadLimits {
  /** Most bytes of a file. */
  readonly maxBytes: number;
  /** Longest time from the first connection to the last byte, redirects included, milliseconds. */
  readonly maxMs: number;
  /** Domains that files may come from, with what is below them; empty for all. */
  readonly allowedDomains: readonly string[];
  /** Whether files may come from private, local and other special addresses, which an outsider could not reach. */
  readonly allowPrivateAddresses: boolean;
  /** Addresses that count as private, in addition to private ones. */
  readonly privateNetworks: readonly AddressRange[];
}

export const DEFAULT_DOWNLOAD_LIMITS: DownloadLimits = {
  maxBytes: 10 * 1024 * 1024,
  maxMs: 30_000,
  allowedDomains: [],
  allowPrivateAddresses: false,
  privateNetworks: [],
};
