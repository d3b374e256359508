import { pausedWork, pauseName } from '../ports/queue-pauses.js';
import { whileUsable, writing } from './task-file.js';
const CHANNEL = 'tasks paused';
/** `QueuePauses` in a data file. */
export class SqliteQueuePauses {
    file;
    jobs;
    constructor(file, jobs) {
        this.file = file;
        this.jobs = jobs;
    }
    async present() {
        const rows = await whileUsable(() => this.file.database.all('SELECT name FROM paused'));
        return pausedWork(rows.map(({ name }) => name));
    }
    pause(tool) {
        return this.#change('INSERT INTO paused (name) VALUES (?) ON CONFLICT DO NOTHING', tool);
    }
    resume(tool) {
        return this.#change('DELETE FROM paused WHERE name = ?', tool);
    }
    async onChange(listener) {
        return this.file.channels.add(CHANNEL, () => listener());
    }
    putBack(limit) {
        return this.jobs.putBack(limit);
    }
    async #change(sql, tool) {
        const { database, channels } = this.file;
        await writing(this.file, () => database.run(sql, pauseName(tool)));
        channels.publish(CHANNEL, '');
    }
}
//# sourceMappingURL=queue-pauses.js.map