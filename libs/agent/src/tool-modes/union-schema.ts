/**
 * Makes the JSON Schema of a reply that is a call of one of the tools or an answer. A grammar is made of it, so it keeps only the
 * structure. Engines refuse unknown parts (patterns without anchors, long repetitions, anchors, ids), and the tool checks its arguments
 * anyway. Referenced schemas stand under `$defs`, once. Objects with listed members get no others, because a small model would continue to
 * invent some.
 */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import type { ToolDescription } from '../model/chat-model.js';
import { referencesOf, type Resolve } from '../textual-calls/schema-references.js';

/** Keywords with a value that is no schema. */
const PLAIN = new Set(['type', 'enum', 'const', 'required']);
/** Keywords with a value that is a schema of a part, or a list of them. */
const INSIDE = new Set(['items', 'prefixItems', 'additionalProperties']);
/** Keywords with a value that lists schemas of the same value. */
const BESIDE = ['anyOf', 'oneOf', 'allOf'];
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
/** With one of these, an object may have members that are not listed here. */
const OPENING = [...BESIDE, ...REFERENCES, 'additionalProperties', 'patternProperties'];

/** A reply is `{"tool", "arguments"}` or `{"answer"}`. The answer fits `outputSchema`, or is a string if there is none. */
export function unionSchema(tools: readonly ToolDescription[], outputSchema?: JsonObject): JsonObject {
  const definitions: Record<string, Json> = {};
  const calls = tools.map(({ name, parameters }) => {
    define(definitions, `tool_${name}`, { properties: {}, ...parameters, type: 'object' });
    return closedObject({ tool: { const: name }, arguments: { $ref: `#/$defs/tool_${name}` } });
  });
  if (outputSchema !== undefined) define(definitions, 'answer', outputSchema);
  const answer = closedObject({ answer: outputSchema === undefined ? { type: 'string' } : { $ref: '#/$defs/answer' } });
  return { anyOf: [...calls, answer], $defs: definitions };
}

function closedObject(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Adds a schema, and what it refers to. */
function define(definitions: Record<string, Json>, name: string, root: JsonObject): void {
  new Structure(definitions, referencesOf(root)).define(name, root);
}

class Structure {
  /** By the schemas that were there: one may refer to itself. */
  readonly #names = new Map<JsonObject, string>();
  readonly #waiting: [name: string, schema: JsonObject][] = [];

  constructor(
    private readonly definitions: Record<string, Json>,
    private readonly resolve: Resolve,
  ) {}

  define(name: string, schema: JsonObject): void {
    this.#announce(name, schema);
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.definitions[next[0]] = this.#of(next[1]);
  }

  #announce(name: string, schema: JsonObject): void {
    this.definitions[name] = {};
    this.#names.set(schema, name);
    this.#waiting.push([name, schema]);
  }

  /** @param isPart whether other schemas say more about the same object, so that it cannot be closed */
  #of(schema: Json | undefined, isPart = false): Json {
    if (!isJsonObject(schema)) return schema ?? {};
    const hasMembers = isJsonObject(schema['properties']);
    const kept = Object.entries(schema).flatMap(([keyword, value]): [string, Json | undefined][] => {
      if (PLAIN.has(keyword)) return [[keyword, value]];
      if (INSIDE.has(keyword)) return [[keyword, this.#each(value, false)]];
      if (BESIDE.includes(keyword)) return [[keyword, this.#each(value, isPart || hasMembers || keyword === 'allOf')]];
      if (keyword !== 'properties' || !isJsonObject(value)) return [];
      return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#of(one)]))]];
    });
    const isOpen = isPart || !hasMembers || OPENING.some((keyword) => schema[keyword] !== undefined);
    return Object.fromEntries([...this.#reference(schema), ...kept, ...(isOpen ? [] : [['additionalProperties', false] as const])]);
  }

  #reference(schema: JsonObject): [string, Json][] {
    const target = this.resolve(schema);
    if (!isJsonObject(target)) return [];
    const name = this.#names.get(target) ?? `part_${Object.keys(this.definitions).length}`;
    if (!this.#names.has(target)) this.#announce(name, target);
    return [['$ref', `#/$defs/${name}`]];
  }

  #each(value: Json | undefined, isPart: boolean): Json {
    return Array.isArray(value) ? value.map((one) => this.#of(one, isPart)) : this.#of(value, isPart);
  }
}
