import { fold } from '../domain/evolve.js';
import { nextDeadline } from '../domain/next-deadline.js';
import { nextPass } from '../domain/next-pass.js';
import { mayLeaveSomething } from '../engine/clean-ups.js';
import { createTaskService } from '../engine/create-task-service.js';
import { expire } from '../engine/task-look.js';
import { TaskRunner } from '../engine/task-runner.js';
import { fromStored } from '../ports/stored-event.js';
import { TaskWriter } from '../write/task-writer.js';
import { Calm } from './calm.js';
import { RecordingBackend } from './recording-backend.js';
import { ScriptedClient } from './scripted-client.js';
import { StepWatch } from './step-watch.js';
import { WorkerLife } from './worker-life.js';
/** The same in each simulation, so that what depends on it is. */
const TASK_ID = '00000000-0000-4000-8000-000000000001';
/**
 * Runs a task to its end.
 *
 * @throws what the script throws; `StuckTask` when the task waits for what never comes
 */
export function simulateTask(options) {
    return new SimulatedTask(options).run();
}
/** The task waits for something that never comes. */
export class StuckTask extends Error {
    name = 'StuckTask';
}
class SimulatedTask {
    options;
    appends = [];
    errors = [];
    calm;
    watch;
    client;
    store;
    service;
    writer;
    life;
    lives = 0;
    killedAt;
    constructor(options) {
        this.options = options;
        const { clock, script } = options;
        this.watch = new StepWatch(() => this.calm.disturb());
        this.calm = new Calm({ clock, watch: this.watch, patienceMs: options.patienceMs });
        this.client = new ScriptedClient(script, clock);
        this.store = new RecordingBackend(options.backend, () => this.calm.disturb());
        const { backend } = this.store;
        const onError = (error) => void this.errors.push(error);
        const cleansUp = mayLeaveSomething(() => options.workflow);
        this.service = createTaskService(backend, { clock: clock.now, newTaskId: () => TASK_ID, onError, cleansUp });
        this.writer = new TaskWriter({ backend, clock: clock.now, onError, cleansUp });
        this.life = this.newLife();
    }
    async run() {
        const { clock, task } = this.options;
        await this.service.create(task);
        let state = await this.state();
        for (; state.outcome === undefined; state = await this.state())
            await this.advance(state);
        await this.cleanUp();
        const { outcome } = state;
        const { appends, killedAt } = this;
        const { history } = this.store;
        return { outcome, history, appends, killedAt, asked: this.client.asked, stepRuns: this.watch.begun, elapsedMs: clock.elapsedMs };
    }
    async advance(state) {
        if (await this.serveClient(state))
            return;
        // Its worker has died: it is not running here.
        if (state.pass.phase === 'running')
            return this.deliver(state.passNumber, true);
        const next = nextPass(state);
        if (next !== undefined && next.dueAt <= this.options.clock.now())
            return this.deliver(next.pass, false);
        const at = Math.min(next?.dueAt ?? Number.POSITIVE_INFINITY, this.nextMoment(state));
        if (!Number.isFinite(at))
            throw new StuckTask(`${this.tool} waits for ${waitedFor(state)}, which never comes.`);
        await this.goTo(at, state);
    }
    /** Runs a pass on the present worker, or a new one if that has died. */
    async deliver(pass, redelivered) {
        const runner = await this.runner();
        const { life } = this;
        let isOver = false;
        const work = runner.handle({ job: { taskId: TASK_ID, pass }, redelivered, lost: redelivered, signal: life.signal }).finally(() => {
            isOver = true;
            this.calm.disturb();
        });
        life.signal.addEventListener('abort', () => this.calm.disturb());
        const isDone = () => isOver || life.signal.aborted;
        try {
            while (!isDone()) {
                await this.calm.until(isDone);
                if (!isDone() && !(await this.serveClient(await this.state())))
                    await this.letTimePass();
            }
            if (!life.signal.aborted)
                await work;
        }
        finally {
            if (!isOver)
                life.die();
            runner.stop();
            if (life.signal.aborted)
                this.bury(work);
        }
    }
    /** While a pass runs and nothing goes on but what waits. */
    async letTimePass() {
        const { running, isBusy } = this.calm;
        if (running.length === 0)
            throw new StuckTask(`${this.tool} awaits something that is no operation of its context${this.position()}: put it into context.step, or use context.sleep for a time.`);
        const state = await this.state();
        const at = this.nextMoment(state);
        const steps = running.map((key) => `step "${key}"`).join(', ');
        if (!Number.isFinite(at) && !isBusy)
            throw new StuckTask(`${this.tool}: ${steps} waits for what never comes.`);
        if (isBusy)
            this.warnOfSlow(steps, Number.isFinite(at));
        if (Number.isFinite(at))
            await this.goTo(at, state);
    }
    warnOfSlow(steps, goesOn) {
        const then = goesOn ? 'the clock goes on to what is due next' : 'nothing else is due';
        this.options.onWarning(`${this.tool}: ${steps} awaited something real for more than ${this.options.patienceMs} ms (patienceMs); ${then}. Let what is slow wait by the clock of the test: clock.wait(ms).`);
    }
    /** Has the client answer what it can answer now. @returns whether it did */
    async serveClient(state) {
        await this.client.look(state);
        const given = this.client.nextAnswer();
        if (given === undefined)
            return false;
        const { owner } = this.options.task;
        await this.service.provideInput(TASK_ID, given.key, () => given.answer, { owner }, 'simulation');
        this.life.wake(TASK_ID);
        return true;
    }
    nextMoment(state) {
        return Math.min(this.options.clock.nextAt, nextDeadline(state)?.at ?? Number.POSITIVE_INFINITY);
    }
    async goTo(at, state) {
        this.options.clock.advanceTo(at);
        const deadline = nextDeadline(state);
        if (deadline !== undefined && deadline.at <= at) {
            await expire(this.writer, TASK_ID);
            this.life.wake(TASK_ID);
        }
        this.calm.disturb();
    }
    async state() {
        const [error] = this.errors;
        if (error !== undefined)
            throw error;
        return fold(await this.store.backend.events.read(TASK_ID));
    }
    get tool() {
        return `Tool "${this.options.task.tool}"`;
    }
    position() {
        const last = this.store.history.findLast(({ data }) => 'key' in data);
        return last !== undefined && 'key' in last.data ? ` (after "${last.data.key}")` : ' (before its first operation)';
    }
    async runner() {
        if (this.life.signal.aborted)
            this.life = this.newLife();
        const { clock, workflow, sessionValues, owners } = this.options;
        const runner = new TaskRunner({
            backend: this.life.backend,
            sessionValues,
            owners,
            workflows: (name) => (name === workflow.name ? this.watch.watch(workflow) : undefined),
            workerId: this.life.workerId,
            version: 'simulated',
            repairs: false,
            clock: clock.now,
            timers: clock,
            chance: this.chance(),
            stepTimeoutMs: Number.POSITIVE_INFINITY,
            // How long a step takes that waits for something real would decide what is recorded.
            slowStepMs: Number.POSITIVE_INFINITY,
            onError: (error) => void this.errors.push(error),
        });
        await runner.start();
        return runner;
    }
    /** The same draws each time, and others after those that are recorded. */
    chance() {
        let drawn = this.store.history.filter(({ data }) => 'key' in data && data.key.startsWith('$uuid')).length;
        const uuid = () => {
            drawn += 1;
            return `00000000-0000-4000-8000-${String(drawn).padStart(12, '0')}`;
        };
        return { random: () => 1, uuid };
    }
    newLife() {
        this.lives += 1;
        return new WorkerLife(`worker-${this.lives}`, this.store.backend, (append) => this.killOf(append));
    }
    killOf({ events }) {
        const { kill } = this.options;
        this.appends.push(events.map(fromStored));
        if (kill === undefined || this.killedAt !== undefined || this.appends.length !== kill.append)
            return undefined;
        this.killedAt = kill.append;
        return kill.side;
    }
    /** What a dead worker had begun is over: nothing of it comes back. */
    bury(work) {
        work.catch(() => undefined);
        this.watch.forgetRunning();
        this.options.clock.abandonWaits();
    }
    /** Has what an interrupted task has left behind ended, as a worker does. */
    async cleanUp() {
        const { sideJobs } = await this.runner();
        for (const { kind, data } of this.store.sideJobs)
            await sideJobs[kind]?.(data, 0);
        const [error] = this.errors;
        if (error !== undefined)
            throw error;
    }
}
function waitedFor({ pass }) {
    return pass.phase === 'suspended' ? pass.waitingFor.map((key) => `"${key}"`).join(', ') : 'something';
}
//# sourceMappingURL=simulate-task.js.map