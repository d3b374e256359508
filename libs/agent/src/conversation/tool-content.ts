/**
 * Turns the result of a tool into content for the model: texts are joined, images, audio and files become parts if the model takes them,
 * and the rest becomes text or a name. The conversation keeps it for good and sends it with each later round, so it is bounded.
 */
import type { CallToolResult, ContentBlock, EmbeddedResource, ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import { type MediaPart, mediaPart, partsAsText, type Taken, takes } from './media.js';
import type { ContentPart } from './messages.js';

/** How a result is shown to a model. */
export interface ToolContentOptions {
  /** What the model takes; the rest is named. */
  readonly taken: Taken;
  /** UTF-8 bytes of all texts together; what is beyond is left out, with a note that says how much. */
  readonly maxTextBytes: number;
  /** Bytes of all images, audio and files together, as base64; those that do not fit are named. */
  readonly maxMediaBytes: number;
}

/** A part that is shown as it is, or as a text. */
type Shown = { readonly part: MediaPart } | { readonly text: string };

/** The content of the message for a call's result: a text, or parts where there is more than text. An error begins with "Error". */
export function toolContent(result: CallToolResult, options: ToolContentOptions): string | readonly ContentPart[] {
  const room = new MediaRoom(options);
  const shown = result.content.map((block) => shownBlock(block, room));
  const texts = shown.flatMap((part) => ('text' in part ? [part.text] : []));
  if (!result.content.some(hasText) && result.structuredContent !== undefined) texts.unshift(JSON.stringify(result.structuredContent));
  const text = cutWithNote(withErrorMark(texts.join('\n'), result.isError === true), options.maxTextBytes);
  const parts = shown.flatMap((each) => ('part' in each ? [each.part] : []));
  if (parts.length === 0) return text === '' ? '(no content)' : text;
  return text === '' ? parts : [{ type: 'text', text }, ...parts];
}

/** A content as text, for people: images, audio and files are named. */
export function textOfContent(content: string | readonly ContentPart[]): string {
  if (typeof content === 'string') return content;
  const names = { image_url: '[image]', input_audio: '[audio]', file: '[file]' };
  return partsAsText(content, ({ type }) => names[type]);
}

/** The text that says to a model that its call has failed. */
export function withErrorMark(text: string, isError: boolean): string {
  if (!isError || /^error\b/i.test(text)) return text;
  return text === '' ? 'Error' : `Error: ${text}`;
}

function hasText(block: ContentBlock): boolean {
  return block.type === 'text' ? block.text !== '' : block.type === 'resource' && 'text' in block.resource;
}

/** The space that is left for what is no text. */
class MediaRoom {
  private leftBytes: number;

  constructor(private readonly options: ToolContentOptions) {
    this.leftBytes = options.maxMediaBytes;
  }

  /** Data as a part, if the model takes it and there is room; it takes its room then. */
  shown(media: Parameters<typeof mediaPart>[0]): Shown | undefined {
    const part = mediaPart(media);
    const bytes = media.data.length;
    if (part === undefined || !takes(this.options.taken, part) || bytes > this.leftBytes) return undefined;
    this.leftBytes -= bytes;
    return { part };
  }
}

function shownBlock(block: ContentBlock, room: MediaRoom): Shown {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
    case 'audio':
      return room.shown(block) ?? { text: named(block.type, [block.mimeType, sizeOf(block.data)]) };
    case 'resource':
      return shownResource(block, room);
    case 'resource_link':
      return { text: named('link to the resource', linkFacts(block)) };
    default:
      // A server of a later version of the protocol.
      return { text: named(`content of the type ${String((block as { type?: unknown }).type)}`, []) };
  }
}

function shownResource({ resource }: EmbeddedResource, room: MediaRoom): Shown {
  if ('text' in resource) return { text: resource.text };
  const { uri, mimeType, blob } = resource;
  const shown = mimeType === undefined ? undefined : room.shown({ data: blob, mimeType, uri });
  return shown ?? { text: named('resource', [uri, mimeType, sizeOf(blob)]) };
}

function linkFacts({ uri, name, title, mimeType, description }: ResourceLink): readonly (string | undefined)[] {
  return [uri, title ?? name, mimeType, description];
}

/** Such as `[image, image/png, 512 bytes]`. */
function named(what: string, facts: readonly (string | undefined)[]): string {
  return `[${[what, ...facts.filter((fact) => fact !== undefined)].join(', ')}]`;
}

function sizeOf(base64: string): string {
  return `${Buffer.byteLength(base64, 'base64')} bytes`;
}
