/**
 * Makes results in parts. A tool returns an async iterable, most simply as an async generator. Each part is reported as progress. The
 * contents of the parts, one after the other, are the result, unless the generator returns a result itself.
 */
import { MAX_RESULT_BYTES, TerminalError } from '@longhaul/tasks';
import { type ContentBlock, ContentBlockSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ClientContext } from './client-context.js';
import { toCallToolResult } from './tool-result.js';

/** A part of a result: a text, content, or anything else that JSON can say. */
export type ToolPart = string | number | boolean | ContentBlock | readonly ContentBlock[] | Readonly<Record<string, unknown>>;

/** Makes a result in parts. If an async generator returns a value, that value is the result instead of the parts. */
export type ToolParts<Returned> = AsyncIterable<ToolPart, Returned | void>;

/**
 * Collects the parts of a tool's result. Part n is reported as progress n, with its text as the message.
 *
 * @param what the tool, as in `Tool echo`
 * @throws TerminalError for a part that is not JSON, and when the parts are larger than a result may be. The signal's reason when the
 * request has ended; then the iterable is ended.
 */
export async function collectedParts(
  what: string,
  returned: unknown,
  context: Pick<ClientContext, 'progress'> & { readonly signal: AbortSignal },
) {
  if (!isParts(returned)) return returned;
  const parts = returned[Symbol.asyncIterator]();
  const content: ContentBlock[] = [];
  let bytes = 0;
  for (let progress = 1; ; progress += 1) {
    const { done, value } = await parts.next();
    if (done === true) return value ?? { content };
    try {
      context.signal.throwIfAborted();
      const blocks = contentOf(`${what} (part ${progress})`, value);
      bytes += Buffer.byteLength(JSON.stringify(blocks));
      if (bytes > MAX_RESULT_BYTES)
        throw new TerminalError(`${what}: the parts of its result have more than ${MAX_RESULT_BYTES} bytes as JSON.`);
      const message = textOf(blocks);
      context.progress({ progress, ...(message !== '' && { message }) });
      content.push(...blocks);
    } catch (error) {
      await parts.return?.();
      throw error;
    }
  }
}

/**
 * The same in a workflow. Its replay runs the generator again, which makes the same parts from its recorded operations. Their progress is
 * reported once. Another iterable, such as the answer of a server, would be read again, so it is refused.
 *
 * @throws TerminalError for an iterable that is no async generator
 */
export async function replayedParts(what: string, returned: unknown, context: Parameters<typeof collectedParts>[2]): Promise<unknown> {
  if (isParts(returned) && Object.prototype.toString.call(returned) !== '[object AsyncGenerator]')
    throw new TerminalError(
      `${what} is durable and returned an async iterable that is no async generator, so a replay would read it again. Read it in a step, or write the tool as "async *run".`,
    );
  return collectedParts(what, returned, context);
}

function isParts(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function contentOf(what: string, part: unknown): readonly ContentBlock[] {
  if (part === undefined) throw new TerminalError(`${what} returned undefined, which is nothing to send.`);
  const block = ContentBlockSchema.safeParse(part);
  return toCallToolResult(what, block.success ? [block.data] : part).content;
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
