import type { LookupAddress } from 'node:dns';
import { isPublicAddress, type Network } from '@longhaul/runtime/guarded-agent';
import { extractionOf } from './extraction.js';
import type { Extract } from './extraction-in-process.js';
import { PageReader, type ReadRequest } from './page-reader.js';
import type { ReadablePage } from './readable-page.js';
import type { TimeLimits } from './web.js';

export const LOCAL: LookupAddress = { address: '127.0.0.1', family: 4 };
export const PRIVATE: LookupAddress = { address: '10.0.0.1', family: 4 };

/** An Internet that has this machine in it; names are at the given addresses, one after the other, and then here. */
export function internet(...addresses: readonly LookupAddress[][]): Network & { readonly looked: string[] } {
  const looked: string[] = [];
  return {
    looked,
    lookup(hostname, _options, callback) {
      const found = addresses[looked.push(hostname) - 1] ?? [LOCAL];
      callback(found.length === 0 ? new Error(`no such name: ${hostname}`) : null, found);
    },
    isAllowed: (address) => address === LOCAL.address || isPublicAddress(address),
  };
}

/** In this process, where tests run from sources. */
export const extractionHere: Extract = async (page) => extractionOf(page);

export const LIMITS: TimeLimits = { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000, robotsMs: 5_000 };

/** A test's settings for a reader and a request. */
export interface ReadOptions extends Partial<Omit<ReadRequest, 'url'>> {
  readonly network?: Network;
  readonly limits?: Partial<TimeLimits>;
  readonly maxBytes?: number;
  readonly maxHtmlBytes?: number;
  readonly proxyUrl?: string;
}

/** Reads a page without asking robots.txt, unless the test says so. */
export function read(url: string, options: ReadOptions = {}): Promise<ReadablePage> {
  const { network = internet(), limits, maxBytes = 1_000_000, maxHtmlBytes = maxBytes, proxyUrl, ...request } = options;
  const reader = new PageReader({ network, proxyUrl, limits: { ...LIMITS, ...limits }, maxBytes }, extractionHere, maxHtmlBytes);
  const { signal } = new AbortController();
  return reader.read({ owner: 'ada', url: new URL(url), raw: false, userAgent: 'TestBot/1.0', obeysRobots: false, signal, ...request });
}
