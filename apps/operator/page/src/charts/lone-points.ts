/** The places of values without a neighbour: a line through them would have no length, so each is drawn as a point. */
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isKnown = (at: number): boolean => values[at] !== undefined && values[at] !== null;
  return Array.from({ length: values.length }, (_, at) => at).filter((at) => isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1));
}
