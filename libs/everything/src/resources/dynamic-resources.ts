/** Serves resources that are generated on request: each positive whole number names one of each type. */
import type { BlobResourceContents, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '@longhaul/tasks';

/** The types of dynamic resources. */
export const DYNAMIC_RESOURCE_TYPES = ['Text', 'Blob'] as const;

export type DynamicResourceType = (typeof DYNAMIC_RESOURCE_TYPES)[number];

/** The URI template of each type. */
export const DYNAMIC_URI_TEMPLATES = {
  Text: 'demo://resource/dynamic/text/{resourceId}',
  Blob: 'demo://resource/dynamic/blob/{resourceId}',
} as const satisfies Record<DynamicResourceType, string>;

/** Of both types: what a blob holds is a text as well. */
export const DYNAMIC_MIME_TYPE = 'text/plain';

/** The id of a dynamic resource; `undefined` for what is not a positive whole number. */
export function dynamicResourceIdOf(value: string | number): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

/** The URI of a dynamic resource. */
export function dynamicResourceUri(type: DynamicResourceType, id: number): string {
  return DYNAMIC_URI_TEMPLATES[type].replace('{resourceId}', String(id));
}

/** The content of the text resource with this id, which names the time of its making. */
export function dynamicText(id: number, clock: Clock): TextResourceContents {
  return {
    uri: dynamicResourceUri('Text', id),
    mimeType: DYNAMIC_MIME_TYPE,
    text: `Resource ${id}: This is a plaintext resource created at ${timeOf(clock)}`,
  };
}

/** The content of the blob resource with this id: base64 of a text that names the time of its making. */
export function dynamicBlob(id: number, clock: Clock): BlobResourceContents {
  const text = `Resource ${id}: This is a base64 blob created at ${timeOf(clock)}`;
  return { uri: dynamicResourceUri('Blob', id), mimeType: DYNAMIC_MIME_TYPE, blob: Buffer.from(text).toString('base64') };
}

/** The content of a dynamic resource of either type. */
export function dynamicResource(type: DynamicResourceType, id: number, clock: Clock): TextResourceContents | BlobResourceContents {
  return type === 'Text' ? dynamicText(id, clock) : dynamicBlob(id, clock);
}

/** In the zone and the language of the process, as a person at the server would read it. */
function timeOf(clock: Clock): string {
  return new Date(clock()).toLocaleTimeString();
}
