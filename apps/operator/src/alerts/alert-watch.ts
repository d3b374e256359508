/**
 * Looks at the deployment again and again, and sends a webhook when an alert begins or ends. Of several operator processes one does so: the
 * one that has the hold. What was sent is kept with the hold, so that the next holder sends nothing twice; a webhook that was sent when its
 * process died is sent again under the same id, by which receivers know it.
 */
import type { Holds } from '@longhaul/sessions';
import type { PostOutcome, SignedTarget } from '@longhaul/runtime/signed-posts';
import { isStoreError, type OperatorService } from '@longhaul/tasks';
import { type Alert, type AlertName, ALERTS, alertsOf } from './alert-conditions.js';
import type { AlertSettings } from './alert-settings.js';

const EVERY_MS = 15_000;
/** A process that is gone is replaced after this time. */
const LEASE_MS = 45_000;
const KEEP_MS = 8 * 24 * 3_600_000;
const NAME = 'alerts';

/** An alert as it was noted: since when it is on or off, and whether the webhook about that was sent. */
interface NotedAlert extends Partial<Alert> {
  readonly isOn: boolean;
  readonly at: number;
  readonly isSent: boolean;
}

type Noted = Readonly<Partial<Record<AlertName, NotedAlert>>>;

/** Dependencies of the watch. */
export interface AlertWatchOptions {
  readonly tasks: Pick<OperatorService, 'noteAges' | 'standings' | 'stats'>;
  readonly holds: Pick<Holds, 'take' | 'write'>;
  /** The id of this process. */
  readonly process: string;
  readonly hasRoom: () => boolean;
  /** Absent: only ages are noted. */
  readonly settings?: AlertSettings | undefined;
  readonly send: (target: SignedTarget, message: { readonly id: string; readonly body: string }) => Promise<PostOutcome>;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
  /** Called with each alert that could not be sent. It is tried again. */
  readonly onUnsent: (alert: AlertName, problem: string) => void;
}

/** The watch of a process. */
export class AlertWatch {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(private readonly options: AlertWatchOptions) {}

  /** Looks at once, and then again and again. */
  start(): void {
    this.#looking = this.look()
      .catch((error: unknown) => {
        if (!isStoreError(error)) this.options.onError(error);
      })
      .then(() => {
        if (!this.#isStopped) this.#timer = setTimeout(() => this.start(), EVERY_MS).unref();
        return undefined;
      });
  }

  /** Resolves when nothing is being sent, and another process may go on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    const { settings, holds, process: holder, onError } = this.options;
    // The next process looks at once.
    if (settings !== undefined) await holds.take({ name: NAME, holder, leaseMs: 0, keepMs: KEEP_MS }).catch(onError);
  }

  async look(): Promise<void> {
    const { tasks, settings, holds, clock, hasRoom } = this.options;
    const ages = await tasks.noteAges();
    if (settings === undefined) return;
    const holder = this.options.process;
    const hold = await holds.take({ name: NAME, holder, leaseMs: LEASE_MS, keepMs: KEEP_MS });
    if (hold.holder !== holder) return;
    const [{ queue }, { periods }] = await Promise.all([tasks.standings(), tasks.stats('hour')]);
    const found = alertsOf(settings, { ages, minutes: periods, work: queue.waiting + queue.running, hasRoom: hasRoom() });
    const known = (hold.value === undefined ? {} : JSON.parse(hold.value)) as Noted;
    let noted = changed(known, found, clock());
    const write = (): Promise<boolean> => holds.write({ name: NAME, holder, epoch: hold.epoch }, JSON.stringify(noted));
    // Noted before it is sent: whoever goes on sends it under the same id.
    if (!(await write())) return;
    for (const name of ALERTS) {
      const alert = noted[name];
      if (alert === undefined || alert.isSent || !(await this.#send(name, alert))) continue;
      noted = { ...noted, [name]: { ...alert, isSent: true } };
      if (!(await write())) return;
    }
  }

  async #send(name: AlertName, { isOn, at, text, value, limit }: NotedAlert): Promise<boolean> {
    const { settings, send, onUnsent } = this.options;
    if (settings === undefined) return false;
    const { url, secrets, allowPrivate } = settings;
    const type = isOn ? 'alert.firing' : 'alert.resolved';
    const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: { alert: name, text, value, limit } });
    const outcome = await send({ url, secrets, allowPrivate }, { id: `${name}-${isOn ? 'firing' : 'resolved'}-${at}`, body });
    if (outcome.kind !== 'delivered') onUnsent(name, outcome.problem);
    return outcome.kind === 'delivered';
  }
}

/** What is noted after a look. An alert that ended before it was sent is forgotten. */
function changed(known: Noted, found: ReadonlyMap<AlertName, Alert>, now: number): Noted {
  const entries = ALERTS.flatMap((name): [AlertName, NotedAlert][] => {
    const before = known[name];
    const alert = found.get(name);
    const isOn = alert !== undefined;
    if (before === undefined && !isOn) return [];
    if (before?.isOn === isOn) return [[name, before]];
    if (before?.isOn === true && !before.isSent) return [];
    const about = alert ?? { text: `No longer: ${before?.text ?? name}`, value: before?.value, limit: before?.limit };
    return [[name, { ...(about as Partial<Alert>), isOn, at: now, isSent: false }]];
  });
  return Object.fromEntries(entries);
}
