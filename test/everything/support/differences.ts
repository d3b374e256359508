/** Where two normalised answers differ. */

/** As much of a value as a line needs. */
const MAX_CHARACTERS = 240;

/** One place; `undefined` where a side has nothing. */
export interface Difference {
  readonly path: string;
  readonly reference: unknown;
  readonly ours: unknown;
}

export function differencesOf(reference: unknown, ours: unknown, path = ''): Difference[] {
  if (isBranch(reference) && isBranch(ours) && Array.isArray(reference) === Array.isArray(ours)) {
    const names = new Set([...Object.keys(reference), ...Object.keys(ours)]);
    return [...names].flatMap((name) => differencesOf(reference[name], ours[name], path === '' ? name : `${path}.${name}`));
  }
  return Object.is(reference, ours) ? [] : [{ path, reference, ours }];
}

/** The difference on one line, for people and for the patterns of the meant ones. */
export function lineOf(probe: string, { path, reference, ours }: Difference): string {
  return `${probe} › ${path}: ${show(reference)} ≠ ${show(ours)}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
