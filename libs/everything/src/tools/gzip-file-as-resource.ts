import { shortened } from '@longhaul/tasks/text';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { defineTool } from '@longhaul/mcp-features';
import { cutText } from '@longhaul/tasks';
import { z } from 'zod';
import type { DownloadOptions } from '../download/download.js';
import { keepSessionFile, SESSION_FILE_LIMITS, sessionFileContents, sessionFileNameIssue } from '../resources/session-files.js';

const compress = promisify(gzip);

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'data:']);
/** Calls of one process that download and compress at the same time: each may hold a file in memory, several times over. */
const MAX_AT_A_TIME = 4;
/** Bytes of what went wrong that are shown: it may name a host, which is as long as the caller likes. */
const MAX_REASON_BYTES = 500;
/** Characters of a URL that are shown; a `data:` URL is as long as its file. */
const LONGEST_SHOWN = 200;

const input = z.object({
  name: z
    .string()
    .superRefine((name, context) => {
      const issue = sessionFileNameIssue(name);
      if (issue !== undefined) context.addIssue(issue);
    })
    .default('README.md.gz')
    .describe('Name of the output file'),
  data: z
    .url()
    .default('https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md')
    .describe('URL or data URI of the file content to compress'),
  outputType: z
    .enum(['resourceLink', 'resource'])
    .default('resourceLink')
    .describe(
      "How the resulting gzipped file should be returned. 'resourceLink' returns a link to a resource that can be read later, " +
        "'resource' returns a full resource object.",
    ),
});

/** Compresses a file that the caller names, within limits, and keeps it in the caller's session if there is one. */
export function gzipFileAsResource(options: Omit<DownloadOptions, 'signal'>) {
  let running = 0;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= MAX_AT_A_TIME) throw new Error(`At most ${MAX_AT_A_TIME} files are compressed at the same time. Try again in a moment.`);
    running += 1;
    return work().finally(() => void (running -= 1));
  };
  return defineTool({
    name: 'gzip-file-as-resource',
    title: 'GZip File as Resource Tool',
    description:
      'Compresses a single file using gzip compression. Depending upon the selected output type, returns either the compressed data ' +
      'as a gzipped resource or a resource link, allowing it to be downloaded in a subsequent request during the current session.',
    input,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    async run({ name, data, outputType }, { session, signal }) {
      if (session === undefined && outputType === 'resourceLink')
        throw new Error('outputType "resourceLink" needs a session to keep the file in, and there is none; "resource" works without.');
      const blob = (await inTurn(() => compressed(data, { ...options, signal }))).toString('base64');
      const file = { name, mimeType: 'application/gzip', blob };
      const link = session && (await keepSessionFile(session, file));
      const resource = sessionFileContents(file);
      return { content: [link === undefined || outputType === 'resource' ? { type: 'resource', resource } : link] };
    },
  });
}

async function compressed(url: string, options: DownloadOptions): Promise<Buffer> {
  try {
    const file = await compress(await bytesAt(url, options));
    const { fileBytes } = SESSION_FILE_LIMITS;
    if (file.length > fileBytes) throw new Error(`It has ${file.length} bytes after compression; the limit is ${fileBytes}.`);
    return file;
  } catch (error) {
    const shown = shortened(url, LONGEST_SHOWN);
    const reason = cutText(error instanceof Error ? error.message : String(error), MAX_REASON_BYTES);
    throw new Error(`Error processing file ${shown}: ${reason}`, { cause: error });
  }
}

async function bytesAt(url: string, options: DownloadOptions): Promise<Uint8Array> {
  if (!PROTOCOLS.has(new URL(url).protocol))
    throw new Error(`Unsupported URL protocol for ${shortened(url, LONGEST_SHOWN)}. Only http, https, and data URLs are supported.`);
  // Loaded by the first that needs it: the HTTP client is 30 MB, which workers never use.
  const { download } = await import('../download/download.js');
  return download(url, options);
}
