import { weightOf } from '../ports/lane-rules.js';
/** A job that no pause holds. */
const RUNS = "held_by IS NOT NULL AND NOT (held_by >= 'pause:' AND held_by < 'pause;')";
const WAITS = 'turn IS NOT NULL AND held_by IS NULL';
/** Jobs of the lane wait. */
export function joinLine(database, lane, group) {
    database.run('INSERT INTO lanes (lane, lane_group) VALUES (?, ?) ON CONFLICT DO NOTHING', lane, group);
}
/** Takes one job after the other, in one transaction. */
export class LaneTurns {
    database;
    rules;
    #fullGroups = new Set();
    #fullTools = new Set();
    /** Lanes of which only jobs of full tools wait. */
    #passedOver = new Set();
    constructor(database, rules) {
        this.database = database;
        this.rules = rules;
        this.#giveTurns();
    }
    /** The next job, whose turn is over with that; who asks has to hold it before the next call. */
    next() {
        return this.#lost() ?? this.#inTurn();
    }
    #lost() {
        const sql = `SELECT seq, lane_group, tool FROM jobs WHERE ${WAITS} AND is_lost = 1 ORDER BY turn, seq`;
        return this.database.all(sql).find((job) => this.#mayRun(job));
    }
    #inTurn() {
        for (;;) {
            const lane = this.#nextLane();
            if (lane === undefined)
                return undefined;
            if (this.#isFull(this.#fullGroups, 'lane_group', lane.lane_group, this.rules.maxRunning(lane.lane_group)))
                continue;
            const job = this.#firstOf(lane.lane);
            if (job === 'none may run') {
                this.#passedOver.add(lane.lane);
                continue;
            }
            const { turn } = this.database.get('UPDATE latest_turn SET turn = max(turn, ?) RETURNING turn', lane.turn);
            if (job === undefined) {
                this.database.run('DELETE FROM lanes WHERE seq = ?', lane.seq);
                continue;
            }
            this.database.run('UPDATE lanes SET turn = ? WHERE seq = ?', turn + this.#stepOf(lane.lane_group), lane.seq);
            return job;
        }
    }
    #nextLane() {
        const sql = `SELECT seq, lane, lane_group, turn FROM lanes WHERE turn IS NOT NULL
      AND lane_group NOT IN (SELECT value FROM json_each(?)) AND lane NOT IN (SELECT value FROM json_each(?)) ORDER BY turn, seq LIMIT 1`;
        return this.database.get(sql, JSON.stringify([...this.#fullGroups]), JSON.stringify([...this.#passedOver]));
    }
    #firstOf(lane) {
        for (;;) {
            const sql = `SELECT seq, lane_group, tool FROM jobs WHERE lane = ? AND ${WAITS}
        AND ifnull(tool, '') NOT IN (SELECT value FROM json_each(?)) ORDER BY rank DESC, turn, seq LIMIT 1`;
            const job = this.database.get(sql, lane, JSON.stringify([...this.#fullTools]));
            if (job !== undefined && this.#mayRun(job))
                return job;
            if (job !== undefined)
                continue;
            const some = this.#fullTools.size > 0 ? this.database.get(`SELECT 1 FROM jobs WHERE lane = ? AND ${WAITS} LIMIT 1`, lane) : undefined;
            return some === undefined ? undefined : 'none may run';
        }
    }
    #mayRun({ lane_group: group, tool }) {
        if (this.#isFull(this.#fullGroups, 'lane_group', group, this.rules.maxRunning(group)))
            return false;
        return tool === null || !this.#isFull(this.#fullTools, 'tool', tool, this.rules.maxRunningOfTool(tool));
    }
    #isFull(known, column, value, most) {
        if (most === undefined)
            return false;
        if (known.has(value))
            return true;
        const sql = `SELECT count(*) AS count FROM jobs WHERE ${column} = ? AND ${RUNS}`;
        const { count } = this.database.get(sql, value);
        if (count >= most)
            known.add(value);
        return count >= most;
    }
    #giveTurns() {
        const rows = this.database.all('SELECT seq, lane_group FROM lanes WHERE turn IS NULL ORDER BY seq');
        for (const { seq, lane_group: group } of rows) {
            const sql = 'UPDATE lanes SET turn = ? + (SELECT turn FROM latest_turn) WHERE seq = ?';
            this.database.run('UPDATE lanes SET turn = 0 WHERE seq = ?', seq);
            this.database.run(sql, this.#stepOf(group), seq);
        }
    }
    /** What is between two turns of a lane. */
    #stepOf(group) {
        const sql = 'SELECT count(*) AS count FROM lanes WHERE lane_group = ? AND turn IS NOT NULL';
        return this.database.get(sql, group).count / weightOf(this.rules, group);
    }
}
//# sourceMappingURL=lane-turns.js.map