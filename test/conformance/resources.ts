/** The resources that the conformance suite reads and subscribes to. */
import { defineResource, defineResourceTemplate } from '@longhaul/mcp-features';
import { PNG } from './media.ts';

const staticText = defineResource({
  uri: 'test://static-text',
  name: 'Static text',
  description: 'A text that does not change.',
  mimeType: 'text/plain',
  read: () => 'This is the content of the static text resource.',
});

const staticBinary = defineResource({
  uri: 'test://static-binary',
  name: 'Static binary',
  description: 'An image that does not change.',
  mimeType: 'image/png',
  read: () => Buffer.from(PNG, 'base64'),
});

const template = defineResourceTemplate({
  uriTemplate: 'test://template/{id}/data',
  name: 'Template',
  description: 'A resource for every id.',
  mimeType: 'application/json',
  read: ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
});

const watched = defineResource({
  uri: 'test://watched-resource',
  name: 'Watched resource',
  description: 'A resource to subscribe to.',
  mimeType: 'text/plain',
  read: () => 'This is the content of the watched resource.',
});

/** The same in every revision of the protocol; only 2025-11-25 subscribes by a request. */
export const resources = [staticText, staticBinary, template, watched];
