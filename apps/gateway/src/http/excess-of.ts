/** Memory that a connection holds for a slow client. */
export interface Held {
  /** The network of the client's address. */
  readonly network: string;
  readonly bytes: number;
  /** Since when, by the caller's clock. */
  readonly since: number;
}

/**
 * Selects connections to close so that the rest is within the limit: each time the oldest one of the network that holds most. So one
 * network cannot push out the others, and clients that send and read quickly are hardly ever affected.
 */
export function excessOf<T extends Held>(held: readonly T[], limitBytes: number): T[] {
  let total = bytesOf(held);
  if (total <= limitBytes) return [];
  const networks = [...Map.groupBy(held, ({ network }) => network).values()].map((of) => ({
    bytes: bytesOf(of),
    newestFirst: of.sort((a, b) => b.since - a.since),
  }));
  const excess: T[] = [];
  while (total > limitBytes) {
    const heaviest = networks.reduce((most, one) => (one.bytes > most.bytes ? one : most));
    const oldest = heaviest.newestFirst.pop();
    if (oldest === undefined) break;
    heaviest.bytes -= oldest.bytes;
    total -= oldest.bytes;
    excess.push(oldest);
  }
  return excess;
}

function bytesOf(held: readonly Held[]): number {
  return held.reduce((sum, { bytes }) => sum + bytes, 0);
}
