/** Gives models images, audio and files in the form of chat completions, and names them to models that do not take them. */
import type { ContentPart } from './messages.js';

/** A part of a message that is no text. */
export type MediaPart = Exclude<ContentPart, { type: 'text' }>;

/** What a model takes in addition to text. */
export interface Taken {
  readonly takesImages: boolean;
  /** WAV and MP3. @defaultValue false */
  readonly takesAudio?: boolean;
  /** PDF. @defaultValue false */
  readonly takesFiles?: boolean;
}

/** The formats of audio that chat completions define. */
const AUDIO_FORMATS: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};
const PDF = 'application/pdf';
const MAX_NAME_CHARACTERS = 128;

/** Data as a part of a message; undefined for a kind of data that no model takes. @param uri of which a file gets its name */
export function mediaPart({
  data,
  mimeType,
  uri,
}: {
  readonly data: string;
  readonly mimeType: string;
  readonly uri?: string;
}): MediaPart | undefined {
  const kind = mimeType.toLowerCase().split(';', 1)[0]?.trim() ?? '';
  if (kind.startsWith('image/')) return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
  const format = AUDIO_FORMATS[kind];
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  return kind === PDF ? { type: 'file', file: { filename: fileName(uri), file_data: `data:${PDF};base64,${data}` } } : undefined;
}

/** Whether a model takes a part. */
export function takes({ takesImages, takesAudio = false, takesFiles = false }: Taken, { type }: ContentPart): boolean {
  switch (type) {
    case 'text':
      return true;
    case 'image_url':
      return takesImages;
    case 'input_audio':
      return takesAudio;
    case 'file':
      return takesFiles;
  }
}

/** What stands for a part in a text, and why it is not the part itself. */
export function mediaNote(part: MediaPart, why?: 'below'): string {
  switch (part.type) {
    case 'image_url': {
      const { url } = part.image_url;
      const kind = /^data:([^;,]+)/.exec(url)?.[1];
      return note(kind === undefined ? `an image at ${url}` : `an image (${kind}, ${sizeOf(url)})`, why ?? 'which you cannot see');
    }
    case 'input_audio': {
      const { format, data } = part.input_audio;
      return note(`audio (${format}, ${sizeOf(data)})`, why ?? 'which you cannot hear');
    }
    case 'file': {
      const { filename, file_data: data } = part.file;
      return note(`the file ${filename} (${sizeOf(data)})`, why ?? 'which you cannot read');
    }
  }
}

/** The parts as one text, for a model that takes none of them. */
export function partsAsText(parts: readonly ContentPart[], noteOf: (part: MediaPart) => string = mediaNote): string {
  return parts.map((part) => (part.type === 'text' ? part.text : noteOf(part))).join('\n');
}

function note(what: string, why: string): string {
  return `[${what}, ${why === 'below' ? 'see below' : why}]`;
}

function sizeOf(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1024)} KiB`;
}

/** The last part of a URI, so far as it can be the name of a file. */
function fileName(uri = ''): string {
  const last = /([^/?#]+)(?:[?#]|$)/.exec(uri.slice(uri.lastIndexOf('/') + 1))?.[1] ?? '';
  const name = last.replaceAll(/[^\w.-]/g, '_').slice(-MAX_NAME_CHARACTERS);
  return /\.pdf$/i.test(name) ? name : `${name || 'file'}.pdf`;
}
