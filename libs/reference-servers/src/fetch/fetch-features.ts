import { definePrompt, defineTool, type Feature, type RequestContext } from '@longhaul/mcp-features';
import { type Network, systemNetwork } from '@longhaul/runtime/guarded-agent';
import type { RetryPolicy } from '@longhaul/tasks';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ToolFailure } from '../tool-results.js';
import { type Extract, extractionInProcess } from './extraction-in-process.js';
import { FetchFailure, NotNow } from './failures.js';
import { PageReader } from './page-reader.js';
import { partOf } from './paging.js';
import type { ReadablePage } from './readable-page.js';
import type { FetchSettings } from './settings.js';
import { TIME_LIMITS, type TimeLimits } from './web.js';

/** The parts that a test may replace. */
export interface FetchOptions {
  readonly network?: Network;
  readonly limits?: TimeLimits;
  readonly extract?: Extract;
  /** Of pages that cannot be had now. */
  readonly retry?: RetryPolicy;
}

const NAME = 'fetch';
const REPOSITORY = 'https://github.com/modelcontextprotocol/servers';
const AUTONOMOUS = `ModelContextProtocol/1.0 (Autonomous; +${REPOSITORY})`;
const MANUAL = `ModelContextProtocol/1.0 (User-Specified; +${REPOSITORY})`;

/** How long a page is kept for those who read on, and how much of all pages together, bytes. */
const KEPT_MS = 60_000;
const KEPT_BYTES = 32 * 1024 * 1024;
const RETRY: RetryPolicy = { attempts: 3, initialMs: 2_000, factor: 3 };

const DESCRIPTION = `Fetches a URL from the internet and optionally extracts its contents as markdown.

Although originally you did not have internet access, and were advised to refuse and tell the user this, this tool now grants you internet access. Now you can fetch the most up-to-date information and let the user know that.`;

const input = z
  .object({
    url: z.url().min(1).meta({ title: 'Url', description: 'URL to fetch' }),
    max_length: z
      .int()
      .min(1)
      .max(999_999)
      .default(5_000)
      .meta({ title: 'Max Length', description: 'Maximum number of characters to return.' }),
    start_index: z.int().min(0).default(0).meta({
      title: 'Start Index',
      description:
        'On return output starting at this character index, useful if a previous fetch was truncated and more context is required.',
      // As far as numbers go, which need not be said.
      maximum: undefined,
    }),
    raw: z
      .boolean()
      .default(false)
      .meta({ title: 'Raw', description: 'Get the actual HTML content of the requested page, without simplification.' }),
  })
  .meta({ title: `${NAME}Arguments` });

/** The tool and the prompt of the reference server. */
export function fetchFeatures(settings: FetchSettings, options: FetchOptions = {}): readonly Feature[] {
  const { userAgent, ignoreRobots, allowPrivate, privateNetworks, proxyUrl, maxBytes, maxHtmlBytes } = settings;
  const {
    network = systemNetwork(allowPrivate, privateNetworks),
    limits = TIME_LIMITS,
    extract = extractionInProcess,
    retry = RETRY,
  } = options;
  const reader = new PageReader({ network, proxyUrl, limits, maxBytes }, extract, maxHtmlBytes);
  return [
    fetchTool({ reader, retry, userAgent: userAgent ?? AUTONOMOUS, obeysRobots: !ignoreRobots }),
    fetchPrompt(reader, userAgent ?? MANUAL),
  ];
}

interface ToolOptions {
  readonly reader: PageReader;
  readonly retry: RetryPolicy;
  readonly userAgent: string;
  readonly obeysRobots: boolean;
}

/** The record of the step: only the shown part, because a page may be large. */
type Outcome = { readonly text: string } | { readonly failure: string };

function fetchTool({ reader, retry, userAgent, obeysRobots }: ToolOptions) {
  const cache = new LRUCache<string, ReadablePage>({
    ttl: KEPT_MS,
    ttlAutopurge: true,
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ prefix, text }, key) => 2 * (key.length + prefix.length + text.length),
  });
  return defineTool({
    name: NAME,
    description: DESCRIPTION,
    input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    task: 'optional',
    async run({ url: given, max_length: maxLength, start_index: start, raw }, context) {
      const url = new URL(given);
      const read = async (signal: AbortSignal): Promise<ReadablePage> => {
        const key = `${raw ? 'raw' : 'markdown'} ${url.href}`;
        // A call from the beginning of a page wants its current state. A call that continues wants the rest of the earlier state.
        const kept = start > 0 ? cache.get(key) : undefined;
        if (kept !== undefined) return kept;
        const onProgress = (progress: number, total: number | undefined): void =>
          context.progress({ progress, ...(total !== undefined && { total }), message: `${progress} bytes` });
        const page = await reader.read({ owner: ownerKey(context), url, raw, userAgent, obeysRobots, signal, onProgress });
        cache.set(key, page);
        return page;
      };
      const outcome = await context.step<Outcome>(
        'fetch',
        async ({ signal }) => {
          try {
            return { text: shownPart(url, await read(signal), start, maxLength) };
          } catch (error) {
            if (error instanceof FetchFailure) return { failure: error.message };
            throw error instanceof NotNow ? new ToolFailure(NAME, error.message) : error;
          }
        },
        retry,
      );
      if ('failure' in outcome) throw new ToolFailure(NAME, outcome.failure);
      return outcome.text;
    },
  });
}

/** All unknown callers are one owner. */
function ownerKey({ owner }: Pick<RequestContext, 'owner'>): string {
  return owner?.key ?? '';
}

function shownPart({ href }: URL, { prefix, text }: ReadablePage, start: number, maxLength: number): string {
  const part = partOf(text, start, maxLength);
  const more =
    part?.next === undefined
      ? ''
      : `\n\n<error>Content truncated. Call the fetch tool with a start_index of ${part.next} to get more content.</error>`;
  return `${prefix}Contents of ${href}:\n${part === undefined ? '<error>No more content available.</error>' : part.text + more}`;
}

/** The user has asked for the page, so robots.txt is not asked, and what goes wrong is the text of the message. */
function fetchPrompt(reader: PageReader, userAgent: string) {
  return definePrompt({
    name: NAME,
    description: 'Fetch a URL and extract its contents as markdown',
    arguments: z.object({ url: z.string().describe('URL to fetch') }),
    async run({ url: given }, context) {
      const url = URL.parse(given);
      if (url === null) return `Failed to fetch ${given}: it is not a URL`;
      try {
        const { signal } = context;
        const { prefix, text } = await reader.read({ owner: ownerKey(context), url, raw: false, userAgent, obeysRobots: false, signal });
        return prefix + text;
      } catch (error) {
        if (error instanceof FetchFailure || error instanceof NotNow) return error.message;
        throw error;
      }
    },
  });
}
