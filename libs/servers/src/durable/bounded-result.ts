/** Bounds the results of tools that a task records. Each round sends them to the model again, and the size of a step's value is limited. */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';

/** Of its JSON, bytes: more than what a model is shown of a result, and less than what a step may record. */
export const MAX_RECORDED_BYTES = 2 * 1024 * 1024;
/** Of one text where that is exceeded, bytes. */
const MAX_TEXT_BYTES = 256 * 1024;

/** The result, or as much of it as can be recorded, with a note for the model that says what is left out. */
export function boundedResult(result: CallToolResult, maxBytes = MAX_RECORDED_BYTES): CallToolResult {
  if (bytesOf(result) <= maxBytes) return result;
  const { content, structuredContent, isError } = result;
  const kept: ContentBlock[] = [];
  const leftOut: string[] = structuredContent === undefined ? [] : ['its structured content'];
  let leftBytes = maxBytes / 2;
  for (const block of content.map(shortened)) {
    leftBytes -= bytesOf(block);
    if (leftBytes > 0) kept.push(block);
    else leftOut.push(`${block.type} of ${bytesOf(block)} bytes`);
  }
  const note = `[The result was too large to be kept. Left out: ${cutWithNote(leftOut.join(', ') || 'ends of texts', 1_024)}.]`;
  return { content: [...kept, { type: 'text', text: note }], ...(isError === true && { isError }) };
}

function shortened(block: ContentBlock): ContentBlock {
  if (block.type === 'text') return { type: 'text', text: cutWithNote(block.text, MAX_TEXT_BYTES) };
  if (block.type !== 'resource' || !('text' in block.resource)) return block;
  return { ...block, resource: { ...block.resource, text: cutWithNote(block.resource.text, MAX_TEXT_BYTES) } };
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
