/**
 * Decides which waiting job of a data file is taken next, as the queue on Redis does it (`store-redis/src/tasks/fair-order.lua.ts`). Lanes
 * with waiting jobs have turns, and the lane with the lowest turn is served. Then the lane's next turn is later by the number of its
 * group's lanes, divided by the group's weight: so groups get slots by their weights, no matter how many lanes and jobs each has. A new
 * lane gets its turn when a consumer takes a job, because only consumers know weights.
 *
 * A lane without jobs keeps its place until its turn, so that adding jobs one at a time brings no advantage. Jobs that were lost come
 * before all others. Call it within a transaction.
 */
import { weightOf } from '@longhaul/tasks/store';
import type { LaneRules } from '@longhaul/tasks';
import type { SqliteDatabase } from '@longhaul/sqlite';
import { type KeyColumns, KeyedLimits, RUNS } from './keyed-limits.js';

const FOUND = 'seq, lane_group, tool, limit_key, is_first';
const WAITS = 'turn IS NOT NULL AND held_by IS NULL';

/** A job that was found. */
export interface FoundJob extends KeyColumns {
  readonly seq: number;
  readonly lane_group: string;
  readonly tool: string | null;
}

type Lane = { readonly seq: number; readonly lane: string; readonly lane_group: string; readonly turn: number };

/** Notes that jobs of the lane wait. */
export function joinLine(database: SqliteDatabase, lane: string, group: string): void {
  database.run('INSERT INTO lanes (lane, lane_group) VALUES (?, ?) ON CONFLICT DO NOTHING', lane, group);
}

/** Takes one job after the other, in one transaction. */
export class LaneTurns {
  readonly #fullGroups = new Set<string>();
  readonly #fullTools = new Set<string>();
  /** Lanes in which only jobs of full tools wait. */
  readonly #passedOver = new Set<string>();
  readonly #keys: KeyedLimits;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly rules: LaneRules,
    now: number,
  ) {
    this.#keys = new KeyedLimits(database, rules, now);
    this.#giveTurns();
  }

  /** Takes the next job, which ends its turn; the caller must hold it before the next call. */
  next(): FoundJob | undefined {
    const job = this.#lost() ?? this.#inTurn();
    if (job !== undefined) this.#keys.take(job);
    return job;
  }

  #lost(): FoundJob | undefined {
    const sql = `SELECT ${FOUND} FROM jobs WHERE ${WAITS} AND is_lost = 1 ORDER BY turn, seq`;
    return (this.database.all(sql) as unknown as FoundJob[]).find((job) => this.#mayRun(job));
  }

  #inTurn(): FoundJob | undefined {
    for (;;) {
      const lane = this.#nextLane();
      if (lane === undefined) return undefined;
      if (this.#isFull(this.#fullGroups, 'lane_group', lane.lane_group, this.rules.maxRunning(lane.lane_group))) continue;
      const job = this.#firstOf(lane.lane);
      if (job === 'none may run') {
        this.#passedOver.add(lane.lane);
        continue;
      }
      const { turn } = this.database.get('UPDATE latest_turn SET turn = max(turn, ?) RETURNING turn', lane.turn) as { turn: number };
      if (job === undefined) {
        this.database.run('DELETE FROM lanes WHERE seq = ?', lane.seq);
        continue;
      }
      this.database.run('UPDATE lanes SET turn = ? WHERE seq = ?', turn + this.#stepOf(lane.lane_group), lane.seq);
      return job;
    }
  }

  #nextLane(): Lane | undefined {
    const sql = `SELECT seq, lane, lane_group, turn FROM lanes WHERE turn IS NOT NULL
      AND lane_group NOT IN (SELECT value FROM json_each(?)) AND lane NOT IN (SELECT value FROM json_each(?)) ORDER BY turn, seq LIMIT 1`;
    return this.database.get(sql, JSON.stringify([...this.#fullGroups]), JSON.stringify([...this.#passedOver])) as unknown as
      Lane | undefined;
  }

  #firstOf(lane: string): FoundJob | 'none may run' | undefined {
    for (;;) {
      const { sql: ofKeys, values } = this.#keys.condition;
      const sql = `SELECT ${FOUND} FROM jobs WHERE lane = ? AND ${WAITS}
        AND ifnull(tool, '') NOT IN (SELECT value FROM json_each(?))${ofKeys} ORDER BY turn - earlier_ms, seq LIMIT 1`;
      const job = this.database.get(sql, lane, JSON.stringify([...this.#fullTools]), ...values) as unknown as FoundJob | undefined;
      if (job !== undefined && this.#mayRun(job)) return job;
      if (job !== undefined) continue;
      const some =
        this.#fullTools.size > 0 || ofKeys !== ''
          ? this.database.get(`SELECT 1 FROM jobs WHERE lane = ? AND ${WAITS} LIMIT 1`, lane)
          : undefined;
      return some === undefined ? undefined : 'none may run';
    }
  }

  #mayRun(job: FoundJob): boolean {
    const { lane_group: group, tool } = job;
    if (!this.#keys.mayRun(job)) return false;
    if (this.#isFull(this.#fullGroups, 'lane_group', group, this.rules.maxRunning(group))) return false;
    if (tool === null) return true;
    return !this.#isFull(this.#fullTools, 'tool', tool, this.rules.maxRunningOfTool(tool)) && !this.#isSharedFull(tool);
  }

  /** A tool whose shared limit is reached counts as full itself. */
  #isSharedFull(tool: string): boolean {
    const shared = this.rules.sharedLimitOf(tool);
    const most = shared === undefined ? undefined : this.rules.maxRunningOfShared(shared);
    if (most === undefined) return false;
    const sql = `SELECT tool, count(*) AS count FROM jobs WHERE tool IS NOT NULL AND ${RUNS} GROUP BY tool`;
    const running = this.database.all(sql) as unknown as readonly { readonly tool: string; readonly count: number }[];
    const count = running.reduce((sum, each) => (this.rules.sharedLimitOf(each.tool) === shared ? sum + each.count : sum), 0);
    if (count >= most) this.#fullTools.add(tool);
    return count >= most;
  }

  #isFull(known: Set<string>, column: 'lane_group' | 'tool', value: string, most: number | undefined): boolean {
    if (most === undefined) return false;
    if (known.has(value)) return true;
    const sql = `SELECT count(*) AS count FROM jobs WHERE ${column} = ? AND ${RUNS}`;
    const { count } = this.database.get(sql, value) as { count: number };
    if (count >= most) known.add(value);
    return count >= most;
  }

  #giveTurns(): void {
    const rows = this.database.all('SELECT seq, lane_group FROM lanes WHERE turn IS NULL ORDER BY seq') as unknown as Lane[];
    for (const { seq, lane_group: group } of rows) {
      const sql = 'UPDATE lanes SET turn = ? + (SELECT turn FROM latest_turn) WHERE seq = ?';
      this.database.run('UPDATE lanes SET turn = 0 WHERE seq = ?', seq);
      this.database.run(sql, this.#stepOf(group), seq);
    }
  }

  /** The distance between two turns of a lane. */
  #stepOf(group: string): number {
    const sql = 'SELECT count(*) AS count FROM lanes WHERE lane_group = ? AND turn IS NOT NULL';
    return (this.database.get(sql, group) as { count: number }).count / weightOf(this.rules, group);
  }
}
