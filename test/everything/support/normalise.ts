/** Takes out of an answer what is another one each time: ids, times, the name of the session. */

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<id>'],
  [/\b[\da-f]{32}\b/g, '<id>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/\b\d{1,2}:\d\d:\d\d [AP]M\b/g, '<time>'],
  // Over stdio a server knows no session.
  [/ for session (undefined|<id>)/g, ' for the session'],
  [/ (- SessionId|from session) <id>/g, ''],
  // The SDK's client and its server each put the code before the message.
  [/(MCP error -\d+: )+/g, ''],
];

/** What lists hold has a name of its own; their order does not matter. */
const KEYS: Readonly<Record<string, string>> = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' };

/** The levels that simulated logging draws from, as its messages name them. */
const DRAWN = /^(Debug|Info|Notice|Warning|Error|Critical|Alert|Emergency)[- ]level[- ]message/;

export function normalise(value: unknown): unknown {
  if (typeof value === 'string') return TEXTS.reduce((text, [pattern, by]) => text.replace(pattern, by), value).trimEnd();
  if (Array.isArray(value)) return withoutRepetition(value.map(normalise));
  if (typeof value !== 'object' || value === null) return value;
  if (isDrawn(value)) return '<a drawn log message>';
  return Object.fromEntries(
    Object.entries(value)
      .filter(isSaying)
      .map(([name, member]) => [name, normaliseMember(name, member)]),
  );
}

function normaliseMember(name: string, member: unknown): unknown {
  if (name === 'blob' && typeof member === 'string') return textOfBlob(member);
  const key = KEYS[name];
  if (key === undefined || !Array.isArray(member)) return normalise(member);
  return Object.fromEntries((member as Record<string, unknown>[]).map((item) => [String(item[key]), normalise(item)]));
}

/** A blob with a time in it is compared as a text; any other one as it is. */
function textOfBlob(blob: string): unknown {
  const text = Buffer.from(blob, 'base64').toString('utf8');
  return Buffer.from(text, 'utf8').toString('base64') === blob ? normalise(text) : blob;
}

function isDrawn(value: object): boolean {
  if (!('level' in value && 'data' in value && typeof value.data === 'string')) return false;
  return DRAWN.exec(value.data)?.[1]?.toLowerCase() === value.level;
}

/** The same notification several times in a row is as good as one. */
function withoutRepetition(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value, index) => JSON.stringify(value) !== JSON.stringify(values[index - 1]));
}

/** Empty metadata are as good as none. */
function isSaying([name, member]: [string, unknown]): boolean {
  return !(name === '_meta' && JSON.stringify(member) === '{}');
}
