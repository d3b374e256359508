import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from './method.js';

/** `tools/list`: all tools in one page, put together once. */
export function listTools({ tools }: FeatureRegistry): Method {
  const result = { tools: tools.map(({ listing }) => listing) };
  return { name: 'tools/list', kind: 'reads', handle: () => result };
}
