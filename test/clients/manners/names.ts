import type { NameRule } from './manner.ts';

const PERMITTED = /^[a-zA-Z0-9_-]+$/;

/** A tool as a server lists it, as far as clients look at it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly execution?: { readonly taskSupport?: string };
}

/**
 * The tools by the names that a client has for them.
 *
 * @returns none where one of them hides all
 */
export function shownTools(tools: readonly ListedTool[], rule: NameRule | undefined, server: string): ReadonlyMap<string, ListedTool> {
  const shown = new Map<string, ListedTool>();
  const prefix = rule?.prefix.replace('SERVER', server) ?? '';
  for (const tool of tools) {
    const name = prefix + tool.name;
    if (rule === undefined || (PERMITTED.test(name) && name.length <= rule.longest)) shown.set(name, tool);
    else if (rule.otherwise === 'hides every tool') return new Map();
    else if (rule.otherwise === 'changes it') shown.set(name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, rule.longest), tool);
  }
  return shown;
}
