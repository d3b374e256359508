/**
 * Limits how many webhooks a process sends to one host at the same time. If all are taken, a recipient waits for one, as long as the
 * host answers. After a failed try a host has one slot, and no recipient waits for it: so a dead host occupies next to nothing.
 */

interface Host {
  active: number;
  isFailing: boolean;
  readonly waiting: ((hasSlot: boolean) => void)[];
}

/** Gives a slot back. @param failed whether the host did not answer as it should */
export type LeaveSlot = (failed: boolean) => void;

/** The slots of all hosts of a process. */
export class HostSlots {
  readonly #hosts = new Map<string, Host>();

  constructor(
    private readonly atOnce: number,
    private readonly waiting: number,
  ) {}

  /** @returns nothing when the host has no slot and should be tried later */
  async enter(name: string): Promise<LeaveSlot | undefined> {
    const host = this.#host(name);
    if (host.active < this.#limitOf(host)) host.active += 1;
    else if (host.isFailing || host.waiting.length >= this.waiting) return undefined;
    else if (!(await new Promise<boolean>((resolve) => host.waiting.push(resolve)))) return undefined;
    return (failed) => this.#leave(name, host, failed);
  }

  /** Whether the latest try failed. */
  isFailing(name: string): boolean {
    return this.#hosts.get(name)?.isFailing ?? false;
  }

  #leave(name: string, host: Host, failed: boolean): void {
    host.isFailing = failed;
    if (failed) for (const sendAway of host.waiting.splice(0)) sendAway(false);
    // The slot goes to the one that has waited longest.
    const next = host.active <= this.#limitOf(host) ? host.waiting.shift() : undefined;
    if (next === undefined) host.active -= 1;
    else next(true);
    if (host.active === 0 && !host.isFailing) this.#hosts.delete(name);
  }

  #limitOf({ isFailing }: Host): number {
    return isFailing ? 1 : this.atOnce;
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name);
    if (host === undefined) this.#hosts.set(name, (host = { active: 0, isFailing: false, waiting: [] }));
    return host;
  }
}
