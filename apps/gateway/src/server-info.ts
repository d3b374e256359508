import { readFileSync } from 'node:fs';
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** Who the gateway says it is. */
export const SERVER_INFO: Implementation = { name: 'longhaul', title: 'Longhaul', version: manifest.version };

/** What the gateway declares in revision 2025-11-25. */
export const SERVER_CAPABILITIES: ServerCapabilities = {
  tools: {},
  logging: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};
