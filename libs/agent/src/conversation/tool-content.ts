/**
 * Turns the result of a tool into content for the model: texts are joined, images become parts if the model takes them, and the rest
 * becomes text or a name. The conversation keeps it for good and sends it with each later round, so it is bounded.
 */
import type { CallToolResult, ContentBlock, EmbeddedResource, ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import { cutWithNote } from '@longhaul/runtime/cut-bytes';
import type { ContentPart } from './messages.js';

/** How a result is shown to a model. */
export interface ToolContentOptions {
  /** Whether the model takes images; otherwise they are named. */
  readonly takesImages: boolean;
  /** UTF-8 bytes of all texts together; what is beyond is left out, with a note that says how much. */
  readonly maxTextBytes: number;
  /** Bytes of all images together, as base64; those that do not fit are named. */
  readonly maxImageBytes: number;
}

/** A part that is shown as an image, or as a text. */
type Shown = { readonly image: string } | { readonly text: string };

/** The content of the message for a call's result: a text, or parts where there are images. An error begins with "Error". */
export function toolContent(result: CallToolResult, options: ToolContentOptions): string | readonly ContentPart[] {
  const images = new ImageRoom(options);
  const shown = result.content.map((block) => shownBlock(block, images));
  const texts = shown.flatMap((part) => ('text' in part ? [part.text] : []));
  if (!result.content.some(hasText) && result.structuredContent !== undefined) texts.unshift(JSON.stringify(result.structuredContent));
  const text = cutWithNote(withErrorMark(texts.join('\n'), result.isError === true), options.maxTextBytes);
  const urls = shown.flatMap((part) => ('image' in part ? [part.image] : []));
  if (urls.length === 0) return text === '' ? '(no content)' : text;
  const parts: ContentPart[] = urls.map((url) => ({ type: 'image_url', image_url: { url } }));
  return text === '' ? parts : [{ type: 'text', text }, ...parts];
}

/** A content as text, for people: images are named. */
export function textOfContent(content: string | readonly ContentPart[]): string {
  return typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
}

/** The text that says to a model that its call has failed. */
export function withErrorMark(text: string, isError: boolean): string {
  if (!isError || /^error\b/i.test(text)) return text;
  return text === '' ? 'Error' : `Error: ${text}`;
}

function hasText(block: ContentBlock): boolean {
  return block.type === 'text' ? block.text !== '' : block.type === 'resource' && 'text' in block.resource;
}

/** The space that is left for images. */
class ImageRoom {
  private leftBytes: number;

  constructor({ takesImages, maxImageBytes }: ToolContentOptions) {
    this.leftBytes = takesImages ? maxImageBytes : -1;
  }

  /** Whether an image of so many bytes is shown; an image that is shown takes its room. */
  takes(bytes: number): boolean {
    if (bytes > this.leftBytes) return false;
    this.leftBytes -= bytes;
    return true;
  }
}

function shownBlock(block: ContentBlock, images: ImageRoom): Shown {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
      return shownImage(block.data, block.mimeType, images) ?? { text: named('image', [block.mimeType, sizeOf(block.data)]) };
    case 'audio':
      return { text: named('audio', [block.mimeType, sizeOf(block.data)]) };
    case 'resource':
      return shownResource(block, images);
    case 'resource_link':
      return { text: named('link to the resource', linkFacts(block)) };
    default:
      // A server of a later version of the protocol.
      return { text: named(`content of the type ${String((block as { type?: unknown }).type)}`, []) };
  }
}

function shownImage(data: string, mimeType: string, images: ImageRoom): Shown | undefined {
  return images.takes(data.length) ? { image: `data:${mimeType};base64,${data}` } : undefined;
}

function shownResource({ resource }: EmbeddedResource, images: ImageRoom): Shown {
  if ('text' in resource) return { text: resource.text };
  const { uri, mimeType, blob } = resource;
  const image = mimeType?.startsWith('image/') === true ? shownImage(blob, mimeType, images) : undefined;
  return image ?? { text: named('resource', [uri, mimeType, sizeOf(blob)]) };
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
