/** Gives calls of a tool the arguments that the operator's file has for it. */
import type { ServerConfig, ToolSettings } from '@longhaul/servers';
import { schemaProblem } from '@longhaul/servers/schema-check';
import { isJsonObject, type JsonObject } from '@longhaul/tasks/json';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';

type InputSchema = ListedTool['inputSchema'];
type Defaults = NonNullable<ToolSettings['defaults']>;

/** Defaults that a tool can have, and the schema with which it is listed then. */
export interface UsedDefaults {
  readonly defaults: Defaults;
  readonly inputSchema: InputSchema;
}

/**
 * The defaults of a tool. A default that the file has for a pattern holds for the tools that have such an argument. Clients see that the
 * argument may be left out, and its value unless that has variables.
 *
 * @throws RangeError for one that names no argument of its tool, or whose value does not fit
 */
export function usedDefaults(
  { name, inputSchema }: Pick<ListedTool, 'name' | 'inputSchema'>,
  { defaults = {} }: ToolSettings,
  config: ServerConfig,
): UsedDefaults {
  const properties: Readonly<Record<string, object>> = inputSchema.properties ?? {};
  const ofTool = Object.hasOwn(config.toolSettings ?? {}, name) ? (config.toolSettings?.[name]?.defaults ?? {}) : {};
  const used = Object.entries(defaults).filter(([member]) => Object.hasOwn(properties, member));
  const unknown = Object.keys(ofTool).find((member) => !Object.hasOwn(properties, member));
  if (unknown !== undefined) throw new RangeError(`defaults.${unknown}: it has no such argument`);
  for (const [member, { value }] of used) {
    const problem = schemaProblem(schemaOf(inputSchema, properties[member] ?? {}), value);
    if (problem !== undefined) throw new RangeError(`defaults.${member}: ${problem}`);
  }
  return { defaults: Object.fromEntries(used), inputSchema: used.length === 0 ? inputSchema : shown(inputSchema, properties, used) };
}

/** The arguments, with the defaults of those that are left out. Many clients send null for those, where the schema knows no null. */
export function withDefaults(args: JsonObject, { defaults, inputSchema }: UsedDefaults): JsonObject {
  const isGiven = (member: string): boolean =>
    Object.hasOwn(args, member) && (args[member] !== null || takesNull(inputSchema.properties?.[member]));
  const missing = Object.entries(defaults).filter(([member]) => !isGiven(member));
  return missing.length === 0 ? args : { ...args, ...Object.fromEntries(missing.map(([member, { value }]) => [member, value])) };
}

/** With the definitions that the schema of an argument may refer to. */
function schemaOf({ $schema, $defs, definitions }: InputSchema, property: object): object {
  return {
    ...(typeof $schema === 'string' && { $schema }),
    ...(isJsonObject($defs) && { $defs }),
    ...(isJsonObject(definitions) && { definitions }),
    ...property,
  };
}

function shown(
  schema: InputSchema,
  properties: Readonly<Record<string, object>>,
  used: readonly [string, Defaults[string]][],
): InputSchema {
  const changed = used.flatMap(([member, { value, isShown }]) =>
    isShown ? [[member, { ...properties[member], default: value }] as const] : [],
  );
  const required = schema.required?.filter((member) => !used.some(([each]) => each === member));
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    properties: { ...properties, ...Object.fromEntries(changed) },
    ...(required !== undefined && required.length > 0 && { required }),
  };
}

function takesNull(property: object | undefined): boolean {
  const { type } = (property ?? {}) as { readonly type?: unknown };
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}
