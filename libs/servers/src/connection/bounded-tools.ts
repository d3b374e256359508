import { shortened } from '@longhaul/tasks/text';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { schemaMistake } from '../schema-check.js';
import { isAllowed, type ServerOptions } from '../config/server-config.js';

/** Most tools of a server. Each is described to the model in each round, and endpoints take no more than about as many. */
const MAX_TOOLS = 256;
const MAX_DESCRIPTION_CHARACTERS = 8_192;
const MAX_SCHEMA_BYTES = 65_536;
const MAX_MISTAKE_CHARACTERS = 200;
/** More than any endpoint takes; patterns of the operator are matched with it. */
const MAX_NAME_CHARACTERS = 256;

/** The used part of a list of tools, and lines about the unused part. */
export interface BoundedTools {
  readonly tools: readonly ListedTool[];
  readonly warnings: readonly string[];
}

/** Leaves out tools that are not allowed, too many, too large, or without a schema that an endpoint would take. Cuts long descriptions. */
export function boundedTools(all: readonly ListedTool[], options: Pick<ServerOptions, 'tools' | 'pins'>): BoundedTools {
  const listed = all.filter(({ name }) => name.length <= MAX_NAME_CHARACTERS);
  const warnings = (options.tools ?? [])
    .filter((pattern) => !listed.some(({ name }) => isAllowed(name, { tools: [pattern] })))
    .map((pattern) => `"${pattern}" is allowed, but it has no such tool`);
  if (listed.length < all.length)
    warnings.push(`${all.length - listed.length} of its tools are not used: their names have more than ${MAX_NAME_CHARACTERS} characters`);
  const allowed = listed.filter(({ name }) => isAllowed(name, options));
  if (allowed.length > MAX_TOOLS)
    warnings.push(`it has ${allowed.length} tools; the first ${MAX_TOOLS} are used: name those that you need in "tools"`);
  const tools = allowed.slice(0, MAX_TOOLS).flatMap((tool) => {
    const verdict = options.pins?.verdict(tool) ?? 'approved';
    if (verdict !== 'approved') {
      warnings.push(
        `its tool "${tool.name}" is not used: ${verdict === 'changed' ? 'it has changed since it was approved' : 'it was not approved'}`,
      );
      return [];
    }
    const bytes = Buffer.byteLength(JSON.stringify(tool.inputSchema));
    if (bytes > MAX_SCHEMA_BYTES) {
      warnings.push(`its tool "${tool.name}" is not used: its schema has ${bytes} bytes, and at most ${MAX_SCHEMA_BYTES} are taken`);
      return [];
    }
    const mistake = schemaMistake(tool.inputSchema);
    if (mistake !== undefined) {
      warnings.push(`its tool "${tool.name}" is not used: its schema is none: ${mistake.slice(0, MAX_MISTAKE_CHARACTERS).toWellFormed()}`);
      return [];
    }
    const { description } = tool;
    if (description === undefined || description.length <= MAX_DESCRIPTION_CHARACTERS) return [tool];
    warnings.push(`the description of its tool "${tool.name}" is cut: it has ${description.length} characters`);
    return [{ ...tool, description: shortened(description, MAX_DESCRIPTION_CHARACTERS) }];
  });
  return { tools, warnings };
}
