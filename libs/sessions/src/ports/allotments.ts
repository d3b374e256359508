/**
 * Divides a number of places among the processes of a deployment, so that a limit holds over all of them. A process needs no command to use
 * a place that it has. It has its places for the time of a lease: if it dies, the others get them after that time.
 *
 * A process that asks gets free places. If there are too few, each process may have the same number. If one wants less, the rest is for the
 * others. A place that is left over is for the process that has had none for longest. No place is taken from a call that uses it: a process
 * that has too many gives them back when its calls end, and asks again.
 */
export interface AllotmentRequest {
  /** What has the limit. */
  readonly name: string;
  readonly process: string;
  /** How many places there are. */
  readonly limit: number;
  /** How many places the process uses now. It keeps them. */
  readonly used: number;
  /** How many it could use. With 0, it is forgotten. */
  readonly wanted: number;
  readonly leaseMs: number;
}

/** What a process has from now on, instead of what it had. */
export interface Allotment {
  readonly places: number;
  /** How many it may have while another process has less than it wants. The others are given back as their calls end. */
  readonly fair: number;
  /** Whether another process has less than it wants. */
  readonly isShort: boolean;
}

/** Divides places, where all processes see it. */
export interface Allotments {
  /** @throws TaskError `STORE_UNAVAILABLE` while the store cannot be reached */
  take(request: AllotmentRequest): Promise<Allotment>;
}

/** What is kept of a process. Times are epoch milliseconds. */
export interface AllottedProcess {
  readonly process: string;
  readonly places: number;
  readonly wanted: number;
  /** When it had a place the last time. */
  readonly servedAt: number;
}

/**
 * Decides about a request, as all stores do.
 *
 * @param others the processes whose leases last
 * @param servedAt when this one had a place the last time
 */
export function allotted(others: readonly AllottedProcess[], request: AllotmentRequest, servedAt: number): Allotment {
  const { process, limit, used, wanted } = request;
  const free = limit - others.reduce((sum, { places }) => sum + places, 0);
  const fair = fairShare([...others, { process, places: used, wanted, servedAt }], process, limit);
  return { places: Math.max(used, Math.min(fair, free)), fair, isShort: others.some((other) => other.places < other.wanted) };
}

/** As many places as a process may have when all get the same, as far as they want it. */
function fairShare(all: readonly AllottedProcess[], process: string, limit: number): number {
  const sorted = all.toSorted((one, other) => one.wanted - other.wanted);
  let left = limit;
  for (const [index, { process: name, wanted }] of sorted.entries()) {
    const count = sorted.length - index;
    const level = Math.floor(left / count);
    if (wanted > level) {
      const hungry = sorted.slice(index).toSorted((one, other) => one.servedAt - other.servedAt || (one.process < other.process ? -1 : 1));
      return hungry.findIndex((each) => each.process === process) < left - level * count ? level + 1 : level;
    }
    if (name === process) return wanted;
    left -= wanted;
  }
  return 0;
}
