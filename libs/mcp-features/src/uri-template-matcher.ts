/**
 * Finds the variables of a URI template (RFC 6570) in a URI. The time depends only on the length of the URI. A regular expression tries all
 * ways to share a URI between its variables: two arbitrary variables take seconds for a URI of 200 kB. This matcher makes one pass for each
 * variable, from the end of the URI to its start. The pass finds how far a value can reach from each position so that the rest of the
 * template still fits.
 *
 * If there are several ways to share a URI, the first variable gets the longest value, then the second, and so on, like in the matcher of
 * the SDK.
 */

/** Finds the raw values of the variables; `undefined` for a URI that is none of the template. */
export type UriMatcher = (uri: string) => Readonly<Record<string, string>> | undefined;

interface Variable {
  readonly name: string;
  /** The text in front of it. */
  readonly prefix: string;
  /** Whether a value may have the UTF-16 code unit in it. */
  readonly takes: (unit: number) => boolean;
  /** Whether a value may be several, with commas between them. */
  readonly isList: boolean;
}

const [SLASH, COMMA, AMPERSAND] = [0x2f, 0x2c, 0x26];
/** The characters that `.` matches in a regular expression: all except the ends of lines. */
const LINE_ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x2028, 0x2029]);

const inSegment = (unit: number): boolean => unit !== SLASH && unit !== COMMA;
const inLine = (unit: number): boolean => !LINE_ENDS.has(unit);
const inQuery = (unit: number): boolean => unit !== AMPERSAND;

/** @throws RangeError that says what is wrong with the template, without naming it */
export function uriMatcherOf(uriTemplate: string): UriMatcher {
  const { variables, tail } = parsed(uriTemplate);
  const [first] = variables;
  if (first === undefined) throw new RangeError('it has no variables.');
  return (uri) => {
    if (!uri.startsWith(first.prefix) || !uri.endsWith(tail)) return undefined;
    const found = reachesOf(variables, tail, uri);
    const values: [string, string][] = [];
    let at = 0;
    for (const [index, { name, prefix }] of variables.entries()) {
      const start = at + prefix.length;
      at = found[index]?.[start] ?? 0;
      if (at === 0) return undefined;
      values.push([name, uri.slice(start, at)]);
    }
    return Object.fromEntries(values);
  };
}

/** For each variable and each place in the URI: where its longest value from there ends, so that the rest fits. 0: nowhere. */
function reachesOf(variables: readonly Variable[], tail: string, uri: string): readonly Int32Array[] {
  let fits = (at: number): boolean => at === uri.length - tail.length;
  return variables
    .toReversed()
    .map((variable) => {
      const { prefix } = variable;
      const reach = reachOf(variable, uri, fits);
      fits = (at) => (reach[at + prefix.length] ?? 0) > 0 && uri.startsWith(prefix, at);
      return reach;
    })
    .toReversed();
}

function reachOf({ takes, isList }: Variable, uri: string, fits: (at: number) => boolean): Int32Array {
  const reach = new Int32Array(uri.length + 1);
  // Where a value ends that is under way at the place after the present one.
  let goingOn = fits(uri.length) ? uri.length : 0;
  for (let at = uri.length - 1; at >= 0; at--) {
    const unit = uri.charCodeAt(at);
    const isTaken = takes(unit);
    if (isTaken) reach[at] = goingOn;
    const further = isTaken ? goingOn : isList && unit === COMMA ? (reach[at + 1] ?? 0) : 0;
    goingOn = further > 0 ? further : fits(at) ? at : 0;
  }
  return reach;
}

/** The variables in their order, and what stands behind the last one. */
function parsed(uriTemplate: string): { readonly variables: readonly Variable[]; readonly tail: string } {
  const variables: Variable[] = [];
  let at = 0;
  for (let open = uriTemplate.indexOf('{'); open !== -1; open = uriTemplate.indexOf('{', at)) {
    const close = uriTemplate.indexOf('}', open);
    if (close === -1) throw new RangeError(`${uriTemplate.slice(open)} is not closed.`);
    variables.push(...variablesOf(uriTemplate.slice(open + 1, close), uriTemplate.slice(at, open)));
    at = close + 1;
  }
  return { variables, tail: uriTemplate.slice(at) };
}

/** @param text what stands between the expression and the one before it */
function variablesOf(expression: string, text: string): readonly Variable[] {
  const [, operator = '', list = ''] = /^([+#./?&]?)(.*)$/s.exec(expression) ?? [];
  const names = list.split(',').map((name) => name.replace('*', '').trim());
  if (names.includes('')) throw new RangeError(`{${expression}} has a variable without a name.`);
  const isQuery = operator === '?' || operator === '&';
  // Where one value ends and the next begins is known in a query only.
  if (names.length > 1 && !isQuery) throw new RangeError(`{${expression}} has several variables; write an expression for each.`);
  return names.map((name, index) => ({
    name,
    prefix: (index === 0 ? text : '') + prefixOf(operator, name, index),
    takes: isQuery ? inQuery : operator === '+' || operator === '#' ? inLine : inSegment,
    isList: list.includes('*') && (operator === '' || operator === '/'),
  }));
}

function prefixOf(operator: string, name: string, index: number): string {
  if (operator === '?' || operator === '&') return `${index === 0 ? operator : '&'}${name}=`;
  return operator === '.' || operator === '/' ? operator : '';
}
