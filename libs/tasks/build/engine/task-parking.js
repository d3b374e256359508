import { GiveBack } from './give-back.js';
import { NoWorkerWatch } from './no-worker-watch.js';
import { ParkedTaskTaker } from './parked-task-taker.js';
/** Puts the three together. */
export class TaskParking {
    options;
    giveBack;
    taker;
    watch;
    constructor(options) {
        this.options = options;
        const { backend, writer, version, knows, concurrency, noWorkerMs, onGivenBack, onError } = options;
        const { parked, workers, queue } = backend;
        const worker = { version, knows };
        this.giveBack = new GiveBack({ parked, workers, writer, version, onGivenBack });
        this.taker = new ParkedTaskTaker({ parked, queue, worker, concurrency, onError });
        this.watch = new NoWorkerWatch({ parked, workers, writer, worker, noWorkerMs });
    }
    /** Looks at all that is parked. To be called about every second. @throws TaskError `STORE_UNAVAILABLE` */
    async look() {
        const groups = await this.options.backend.parked.groups();
        await this.taker.take(groups);
        await this.watch.look(groups);
    }
}
//# sourceMappingURL=task-parking.js.map