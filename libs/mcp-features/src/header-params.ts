/**
 * Reads which arguments of a tool clients of revision 2026-07-28 send in a header as well. So a proxy in front of a server can route a call
 * without reading it. The input schema marks them: `"x-mcp-header": "Region"` on a property stands for the header `Mcp-Param-Region`. A
 * client leaves out every tool with marks that break the rules of the specification, so such a tool cannot be defined.
 */
import { isJsonObject } from '@longhaul/tasks';

/** A marked argument. */
export interface HeaderParam {
  /** Of the header, after `Mcp-Param-`. */
  readonly name: string;
  /** Of the argument: the properties that lead to it. */
  readonly path: readonly string[];
  readonly type: HeaderParamType;
}

const TYPES = ['string', 'integer', 'boolean'] as const;

type HeaderParamType = (typeof TYPES)[number];

const MARK = 'x-mcp-header';

/** A header's name, RFC 9110 section 5.1. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** Keywords with a schema, or a list of schemas, that hold for some values only, or for parts of them. */
const CONDITIONAL = [
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;

/** Keywords with schemas by names, that hold where something refers to them, or for some values only. */
const NAMED = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties'] as const;

type Schema = Readonly<Record<string, unknown>>;

/**
 * The marked arguments, in the order of the schema.
 *
 * @throws RangeError that says which mark breaks a rule, and which one
 */
export function headerParamsOf(inputSchema: unknown): readonly HeaderParam[] {
  const params: HeaderParam[] = [];
  const refuse = (path: readonly string[], rule: string): never => {
    throw new RangeError(`${MARK} at "${path.join('.')}" of the input schema ${rule}.`);
  };
  const visit = (schema: unknown, path: readonly string[], isReachable: boolean): void => {
    if (!isJsonObject(schema)) return;
    if (Object.hasOwn(schema, MARK)) {
      if (!isReachable || path.length === 0) refuse(path, 'must be on a property, and reached by properties only');
      const param = headerParamOf(schema, path, refuse);
      const same = params.find(({ name }) => name.toLowerCase() === param.name.toLowerCase());
      if (same !== undefined) refuse(path, `has the name of the one at "${same.path.join('.')}"`);
      params.push(param);
    }
    for (const [name, property] of entriesOf(schema['properties'])) visit(property, [...path, name], isReachable);
    for (const keyword of CONDITIONAL) for (const branch of [schema[keyword]].flat()) visit(branch, [...path, keyword], false);
    for (const keyword of NAMED) for (const [name, branch] of entriesOf(schema[keyword])) visit(branch, [...path, keyword, name], false);
  };
  visit(inputSchema, [], true);
  return params;
}

function headerParamOf(schema: Schema, path: readonly string[], refuse: (path: readonly string[], rule: string) => never): HeaderParam {
  const { [MARK]: name, type } = schema;
  if (typeof name !== 'string' || !TOKEN.test(name))
    return refuse(path, "must be the name of a header: letters, digits and !#$%&'*+-.^_`|~");
  const known = TYPES.find((one) => one === type);
  return known === undefined ? refuse(path, `must be on a property of type ${TYPES.join(', ')}`) : { name, path, type: known };
}

function entriesOf(schemas: unknown): readonly [string, unknown][] {
  return isJsonObject(schemas) ? Object.entries(schemas) : [];
}
