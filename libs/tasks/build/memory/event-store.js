import { retentionOf } from '../domain/projections/task-view.js';
import { fromStored, storedBytes } from '../ports/stored-event.js';
import { readHistory } from '../ports/read-history.js';
import { visibleTo } from '../ports/event-kinds.js';
import { changeFrom, changeText } from '../ports/task-change.js';
import { MemoryChannels } from './channels.js';
const SWEEP_INTERVAL_MS = 1000;
const INTERRUPTED = 'interrupted';
const ALL = 'all';
/** `EventStore` in memory. */
export class MemoryEventStore {
    clock;
    agenda;
    index;
    operators;
    #streams = new Map();
    #channels = new MemoryChannels();
    #changes = new MemoryChannels();
    #sweptAt = 0;
    constructor(clock, agenda, index, operators) {
        this.clock = clock;
        this.agenda = agenda;
        this.index = index;
        this.operators = operators;
    }
    async create(request, registration, accounts) {
        if (this.#live(request.taskId, 'operator') !== undefined)
            return 'conflict';
        const answer = await this.index.register(registration, accounts);
        return answer.verdict === 'registered' ? this.append(request) : answer;
    }
    async append(request) {
        const { taskId, epoch, events, lookInMs } = request;
        const { view, outcome } = request.projection;
        this.#sweep();
        const stream = this.#live(taskId, 'operator') ?? {
            events: [],
            since: 0,
            bytes: 0,
            marks: new Map(),
            beganAt: this.clock(),
            epoch: 0,
            view: '',
            outcome: undefined,
            ownUntil: undefined,
            expiresAt: undefined,
        };
        if (epoch !== undefined && stream.epoch > epoch)
            return 'fenced';
        if (stream.since + stream.events.length !== request.expectedVersion)
            return 'conflict';
        const bytes = stream.bytes + storedBytes(events);
        if (request.maxBytes !== undefined && bytes > request.maxBytes)
            return 'too-large';
        stream.events.push(...events);
        stream.bytes = bytes;
        this.#continue(stream, events.length);
        stream.epoch = request.epochAfter;
        stream.view = JSON.stringify(view);
        stream.outcome = outcome && JSON.stringify(outcome);
        const retention = retentionOf(view);
        if (retention !== undefined) {
            stream.ownUntil = Math.max(stream.beganAt + retention.fromBeginMs, this.clock() + retention.fromEndMs);
            stream.expiresAt = Math.max(stream.ownUntil, this.clock() + retention.keptMs);
        }
        this.#streams.set(taskId, stream);
        if (request.row !== undefined)
            this.operators.write(request.row, stream.expiresAt);
        if (lookInMs !== undefined)
            void this.agenda.date(taskId, lookInMs);
        this.#channels.publish(taskId, taskId);
        if (request.interrupts === true)
            this.#channels.publish(INTERRUPTED, taskId);
        this.#changes.publish(ALL, changeText(request));
        const session = visibleTo(request);
        if (session !== undefined)
            this.#channels.publish(`session ${session}`, taskId);
        if (request.retires !== undefined)
            await this.index.retire(request.retires.accounts, taskId, request.retires.keptMs, request.retires.storedMs);
        return 'appended';
    }
    async readPage(taskId, afterVersion, maxBytes) {
        const stream = this.#live(taskId, 'operator');
        const later = stream?.events.slice(Math.max(0, afterVersion - stream.since)) ?? [];
        const before = Math.max(afterVersion, stream?.since ?? 0);
        let end = 0;
        for (let bytes = 0; end < later.length && bytes < maxBytes; end++)
            bytes += storedBytes(later.slice(end, end + 1));
        const events = later.slice(0, end).map(fromStored);
        const version = end === 0 ? afterVersion : before + end;
        return { events, version, isLast: end === later.length, historyBytes: stream?.bytes ?? 0 };
    }
    read(taskId, afterVersion) {
        return readHistory(this, taskId, afterVersion);
    }
    async views(taskIds, reader) {
        return taskIds.map((taskId) => {
            const stream = this.#live(taskId, reader);
            return stream && JSON.parse(stream.view);
        });
    }
    async readOutcome(taskId, reader) {
        const stream = this.#live(taskId, reader);
        if (stream === undefined)
            return undefined;
        const view = JSON.parse(stream.view);
        return stream.outcome === undefined ? { view } : { view, outcome: JSON.parse(stream.outcome) };
    }
    async subscribe(taskId, listener) {
        return this.#channels.add(taskId, () => listener());
    }
    async onSessionChange(sessionId, listener) {
        return this.#channels.add(`session ${sessionId}`, listener);
    }
    async advanceMark(taskId, mark, to) {
        const marks = this.#streams.get(taskId)?.marks;
        const was = marks?.get(mark) ?? 0;
        if (marks === undefined || was >= to)
            return undefined;
        marks.set(mark, to);
        return was;
    }
    async onInterrupted(listener) {
        return this.#channels.add(INTERRUPTED, listener);
    }
    async onChange(listener) {
        return this.#changes.add(ALL, (text) => listener(changeFrom(text)));
    }
    async close() {
        this.#streams.clear();
    }
    /** What continues a task as new begins a stream of its own. */
    #continue(stream, appended) {
        const before = stream.events.length - appended;
        const start = before + stream.events.slice(before).findIndex(({ type }) => type === 'TaskContinued');
        if (start < before || start === 0)
            return;
        stream.since += start;
        stream.events = stream.events.slice(start);
        stream.bytes = storedBytes(stream.events);
        stream.beganAt = this.clock();
    }
    #live(taskId, reader = 'client') {
        const stream = this.#streams.get(taskId);
        return stream === undefined || this.#isOver(reader === 'client' ? stream.ownUntil : stream.expiresAt) ? undefined : stream;
    }
    #isOver(time) {
        return time !== undefined && time <= this.clock();
    }
    /** Frees expired streams that nobody asks for any more. */
    #sweep() {
        const now = this.clock();
        if (now - this.#sweptAt < SWEEP_INTERVAL_MS)
            return;
        this.#sweptAt = now;
        for (const [taskId, stream] of this.#streams)
            if (this.#isOver(stream.expiresAt))
                this.#streams.delete(taskId);
    }
}
//# sourceMappingURL=event-store.js.map