/**
 * Knows which keys of tools may run no more jobs, or begin no more tasks, while jobs are taken in one transaction. A job has its key when a
 * worker has read it: until then it has none, and is taken for that. It costs nothing until a job with a key waits.
 */
import type { LaneRules } from '@longhaul/tasks';
import { startsOf } from '@longhaul/tasks/store';
import type { SqliteDatabase } from '@longhaul/sqlite';

/** A job that a consumer holds: no pause has it. */
export const RUNS = "held_by IS NOT NULL AND NOT (held_by >= 'pause:' AND held_by < 'pause;')";

/** The columns of a job with a key. */
export interface KeyColumns {
  /** The name of the tool, a colon, and the key. */
  readonly limit_key: string | null;
  /** Whether its pass is the beginning of a task: 1, or 0. */
  readonly is_first: number;
}

type Count = { readonly limit_key: string; readonly count: number };

/** Keys of one kind of limit, and those that are used up. */
class Counted {
  readonly #counts: Map<string, number>;
  readonly #full = new Set<string>();
  #json = '[]';

  constructor(
    rows: readonly Count[],
    private readonly mostOf: (key: string) => number | undefined,
  ) {
    this.#counts = new Map(rows.map(({ limit_key: key, count }) => [key, count]));
    for (const key of this.#counts.keys()) this.#look(key);
  }

  /** The keys that are used up, as JSON. */
  get json(): string {
    if (this.#json === '') this.#json = JSON.stringify([...this.#full]);
    return this.#json;
  }

  has(key: string): boolean {
    return this.#full.has(key);
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#look(key);
  }

  #look(key: string): void {
    if ((this.#counts.get(key) ?? 0) < (this.mostOf(key) ?? Number.POSITIVE_INFINITY)) return;
    this.#full.add(key);
    this.#json = '';
  }
}

export class KeyedLimits {
  #running: Counted | undefined;
  #begun: Counted | undefined;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly rules: LaneRules,
    private readonly now: number,
  ) {}

  /** The condition of jobs that are not known to be held back, and its values. */
  get condition(): { readonly sql: string; readonly values: readonly string[] } {
    if (this.#running === undefined || this.#begun === undefined) return { sql: '', values: [] };
    const sql = ` AND (limit_key IS NULL OR (limit_key NOT IN (SELECT value FROM json_each(?))
      AND (is_first = 0 OR limit_key NOT IN (SELECT value FROM json_each(?)))))`;
    return { sql, values: [this.#running.json, this.#begun.json] };
  }

  mayRun({ limit_key: key, is_first: isFirst }: KeyColumns): boolean {
    if (key === null) return true;
    const { running, begun } = this.#load();
    return !running.has(key) && (isFirst === 0 || !begun.has(key));
  }

  /** Counts a job that is taken. */
  take({ limit_key: key, is_first: isFirst }: KeyColumns): void {
    if (key === null) return;
    const { running, begun } = this.#load();
    running.add(key);
    const perSecond = this.#limitOf(key)?.perSecond;
    if (isFirst === 0 || perSecond === undefined) return;
    begun.add(key);
    const until = this.now + startsOf(perSecond).windowMs;
    this.database.run('INSERT INTO limit_starts (limit_key, expires_at) VALUES (?, ?)', key, until);
  }

  #load(): { readonly running: Counted; readonly begun: Counted } {
    const counted = (sql: string, ...values: number[]) => this.database.all(sql, ...values) as unknown as readonly Count[];
    const starts = (key: string): number | undefined => {
      const perSecond = this.#limitOf(key)?.perSecond;
      return perSecond === undefined ? undefined : startsOf(perSecond).most;
    };
    this.#running ??= new Counted(
      counted(`SELECT limit_key, count(*) AS count FROM jobs WHERE limit_key IS NOT NULL AND ${RUNS} GROUP BY limit_key`),
      (key) => this.#limitOf(key)?.maxRunning,
    );
    this.#begun ??= new Counted(
      counted('SELECT limit_key, count(*) AS count FROM limit_starts WHERE expires_at > ? GROUP BY limit_key', this.now),
      starts,
    );
    return { running: this.#running, begun: this.#begun };
  }

  #limitOf(key: string): ReturnType<LaneRules['limitByKeyOf']> {
    return this.rules.limitByKeyOf(key.slice(0, key.lastIndexOf(':')));
  }
}
