import { setTimeout as wait } from 'node:timers/promises';
/** How long it may take to end by itself, and after each signal. */
const GRACE_MS = 2_000;
const POLL_MS = 20;
const running = new Set();
/** A program that ends without closing leaves no process behind; `exit` has no time to ask politely. */
const killAll = () => {
    for (const group of running)
        group.signal('SIGKILL');
};
/** The group that a child leads that was started `detached`; on Windows the child alone. */
export class ProcessGroup {
    child;
    #pid;
    #end;
    constructor(child) {
        this.child = child;
        this.#pid = child.pid ?? 0;
        if (running.size === 0)
            process.once('exit', killAll);
        running.add(this);
    }
    /** Waits for the end of the child, asks those that are left to end, then makes them. Resolves when there are none. */
    end() {
        this.#end ??= this.#bringToEnd();
        return this.#end;
    }
    /** @returns whether there is still somebody to signal */
    signal(signal) {
        if (process.platform === 'win32')
            return this.child.exitCode === null && this.child.kill(signal);
        try {
            return process.kill(-this.#pid, signal);
        }
        catch {
            return false;
        }
    }
    async #bringToEnd() {
        const { child } = this;
        await this.#isTrueWithin(() => child.exitCode !== null || child.signalCode !== null);
        for (const signal of ['SIGTERM', 'SIGKILL']) {
            this.signal(signal);
            if (await this.#isTrueWithin(() => !this.signal(0)))
                break;
        }
        running.delete(this);
        if (running.size === 0)
            process.off('exit', killAll);
    }
    async #isTrueWithin(condition) {
        for (const until = Date.now() + GRACE_MS; !condition(); await wait(POLL_MS))
            if (Date.now() > until)
                return false;
        return true;
    }
}
//# sourceMappingURL=process-group.js.map