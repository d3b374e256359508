import { askableKinds } from './askable-kinds.js';
import { takesIdempotencyKey } from '../servers/server-config.js';
import { AnswerBook } from './answer-book.js';
import { tryCall } from './call-try.js';
import { QuestionDesk } from './question-desk.js';
import { relay } from './relay.js';
import { withLossNote } from './server-states.js';
import { cancelTask, lookAtTask } from './task-look.js';
/** How long the first look at a task listens, and the one after an answer: many end soon. Later ones only see what there is. */
const FIRST_LISTEN_MS = 5_000;
const LISTEN_MS = 500;
const FIRST_WAIT_MS = 1_000;
const WAIT_FACTOR = 1.5;
const LONGEST_WAIT_MS = 60_000;
/** After hours, waits are longer: a part of what was waited already, so that a task of days does not fill the history. */
const WAITS_OF_AGE = 100;
/** Looks in a row that do not reach the server, before its task is given up: a quarter of an hour, or longer. */
const MAX_AWAY = 20;
export class RemoteCall {
    call;
    book = new AnswerBook();
    called;
    isRepeatable;
    said = '';
    constructor(call) {
        this.call = call;
        const { config, number, request, options } = call;
        const { listed } = request.tool;
        const takesKey = takesIdempotencyKey(listed.name, config);
        const { readOnlyHint, idempotentHint } = listed.annotations ?? {};
        this.isRepeatable = takesKey || readOnlyHint === true || idempotentHint === true;
        this.called = {
            id: `${number}`,
            server: config.name,
            isProcess: config.kind === 'stdio',
            tool: listed.name,
            arguments: request.arguments,
            takesIdempotencyKey: takesKey,
            onProgress: ({ message, progress }) => options.onProgress?.(message ?? `${progress}`),
        };
    }
    /** @throws Error whose message the model receives */
    async run() {
        const endsAt = this.endsAt();
        for (;;) {
            const record = await this.try();
            if ('asks' in record)
                await this.relayAll(record.asks);
            else if ('failure' in record)
                throw new Error(record.failure);
            else if ('task' in record) {
                // What the call has asked is answered; its task may ask the same, and means something else.
                this.book.clear();
                return this.follow(record.task, endsAt);
            }
            else
                return this.noted(record.result, record.connection);
        }
    }
    noted(result, connection) {
        const { states, config } = this.call;
        const isLost = states.isLost(config, connection);
        states.note(config, connection);
        return isLost ? withLossNote(result, config.name) : result;
    }
    async try() {
        const { context, connections, number, options } = this.call;
        const { deadlineMs = Infinity } = options;
        const desk = new QuestionDesk();
        const mayBeMade = this.isRepeatable || (await this.announce());
        // What goes wrong with a question leaves the call without an answer, until the time of its step is over.
        this.relayHeld(desk).catch(() => undefined);
        try {
            return (await context.step(`call ${number}`, async (step) => {
                // It was announced by an earlier pass, which has not recorded what became of it.
                if (!mayBeMade)
                    return { failure: this.unknownText };
                return tryCall(connections, this.called, { book: this.book.open(), desk, deadlineMs }, step);
            }));
        }
        finally {
            desk.close();
        }
    }
    /** @returns whether it is this pass that announces it */
    async announce() {
        let isHere = false;
        await this.call.context.step(`begin ${this.call.number}`, () => {
            isHere = true;
        });
        return isHere;
    }
    get unknownText() {
        const { tool } = this.call.request;
        return `Nobody knows whether this call of ${tool.name} was carried out: the worker died while it was made. It is unsafe to repeat it, so find out first.`;
    }
    /** Relays what the call asks while it is under way, one question after the other. In a replay, what was asked and answered then. */
    async relayHeld(desk) {
        const { context, config, generation, number } = this.call;
        const isHeld = config.kind === 'stdio' || generation === '2025-11-25';
        if (!isHeld || askableKinds(context.client).length === 0)
            return;
        for (;;) {
            const { question } = (await context.step(`question of ${number}`, async ({ signal }) => ({
                question: (await desk.next(signal)) ?? null,
            })));
            if (question === null)
                return;
            const answer = this.relay(question);
            desk.relay(question, answer);
            await answer;
        }
    }
    async relayAll(questions) {
        const answers = await Promise.all(questions.map((question) => this.relay(question)));
        for (const [index, question] of questions.entries())
            this.book.add(question, answers[index]);
    }
    async relay(question) {
        const { context, config, request, relays } = this.call;
        const leave = await relays.enter();
        try {
            return await relay(context, question, { server: config.name, tool: request.tool.listed.name });
        }
        finally {
            leave();
        }
    }
    async follow(reference, endsAt) {
        const { context, config, number, request } = this.call;
        let listenMs = FIRST_LISTEN_MS;
        for (let waits = 0, away = 0, waitedMs = 0;;) {
            const record = await this.look(reference, listenMs);
            this.book.drop(record.answered);
            if ('result' in record)
                return record.result;
            if ('failure' in record)
                throw new Error(record.failure);
            if ('asks' in record) {
                await this.relayAll(record.asks);
                listenMs = FIRST_LISTEN_MS;
                continue;
            }
            away = 'away' in record ? away + 1 : 0;
            if ('away' in record && away > MAX_AWAY)
                throw new Error(`${record.away} The task of this call may go on there.`);
            const leftMs = await this.timeLeft(reference, endsAt);
            const what = 'away' in record ? 'its server cannot be reached' : (record.statusMessage ?? 'it works');
            this.say(`Waiting for ${request.tool.name} (server "${config.name}"): ${what}`);
            const asked = 'goesOn' in record ? (record.pollIntervalMs ?? 0) : 0;
            const growing = Math.min(Math.max(asked, FIRST_WAIT_MS * WAIT_FACTOR ** waits), LONGEST_WAIT_MS);
            const waitMs = Math.max(growing, Math.round(waitedMs / WAITS_OF_AGE));
            await context.sleep(`wait for ${number}`, Math.min(waitMs, leftMs));
            waits += 1;
            waitedMs += waitMs;
            listenMs = LISTEN_MS;
        }
    }
    /** The same again is not recorded again. */
    say(status) {
        if (status === this.said)
            return;
        this.said = status;
        this.call.context.status(status);
    }
    async look(reference, listenMs) {
        const { context, connections, number } = this.call;
        const book = this.book.open();
        return (await context.step(`look at ${number}`, (step) => lookAtTask(connections, this.called, { reference, book, listenMs }, step)));
    }
    /** When the call has to be over, by the clock of the task. */
    endsAt() {
        const { context, config, options } = this.call;
        const limits = [options.deadlineMs, config.timeoutMs === undefined ? undefined : context.now() + config.timeoutMs];
        return Math.min(...limits.filter((limit) => limit !== undefined));
    }
    /** Milliseconds until the call has to be over. @throws Error when it has to be over now; the task is cancelled then */
    async timeLeft(reference, endsAt) {
        const { context, connections, config, number, request } = this.call;
        const leftMs = endsAt === Infinity ? Infinity : endsAt - context.now();
        if (leftMs > 0)
            return leftMs;
        const problem = await context.step(`cancel ${number}`, async () => {
            try {
                await cancelTask(connections, config.name, reference);
                return '';
            }
            catch (error) {
                return ` It could not be cancelled: ${String(error)}`;
            }
        });
        throw new Error(`${request.tool.name} did not end in time.${problem}`);
    }
}
//# sourceMappingURL=remote-call.js.map