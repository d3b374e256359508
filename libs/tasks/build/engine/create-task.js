import { jsonSize } from '../domain/json-size.js';
import { StoreUnreached, TaskError } from '../errors.js';
import { createCounted } from './register-task.js';
import { KEY_TTL_MS } from '../write/task-writer.js';
/** What a smaller task begins with is not counted. */
const SMALL_TASK_BYTES = 4 * 1024;
/**
 * Creates the task, or finds the one that its idempotency key stands for.
 *
 * @param recorded what a fork takes over from its origin: it is there from the start, or the task is not
 * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `TOO_MANY_CREATIONS`, `QUEUE_FULL`, `IDEMPOTENCY_MISMATCH`, `IDEMPOTENCY_KEY_SPENT`, `STORE_FULL`
 */
export function createTask(creation, task, recorded = []) {
    const all = recorded.reduce((bytes, { data }) => bytes + jsonSize(data), jsonSize(task));
    const bytes = all > SMALL_TASK_BYTES ? all : 0;
    return creation.backend.capacity.admit('creation', all, () => create(creation, { task, recorded, bytes }));
}
async function create({ backend, writer, limitsOf, patience, newTaskId, queueLimit }, { task, recorded, bytes }) {
    const { taskId, isUsed } = await idOf(backend, task, newTaskId());
    const existing = task.idempotencyKey === undefined ? undefined : (await backend.events.views([taskId]))[0];
    if (existing !== undefined)
        return existing;
    if (isUsed)
        throw new TaskError('IDEMPOTENCY_KEY_SPENT');
    await queueLimit?.requireRoom();
    const at = writer.now;
    const registration = { taskId, createdAt: at, implicit: task.implicit === true, bytes };
    const { view: created } = await createCounted({ backend, writer, limitsOf }, task, (accounts) => {
        const create = () => writer.create({ type: 'CreateTask', at, task, recorded }, registration, accounts);
        // When the reply is lost nobody knows whether the task exists, and its id is known here only.
        return create().catch((error) => (mayBeDone(error) ? patience.run(create) : Promise.reject(error)));
    });
    // Another request with the same key was faster, or an earlier try of this one.
    const present = created ?? (await patience.run(() => backend.events.views([taskId])))[0];
    if (present === undefined)
        throw new TaskError('STORE_CONTENTION');
    return present;
}
function mayBeDone(error) {
    return error instanceof TaskError && error.code === 'STORE_UNAVAILABLE' && !(error instanceof StoreUnreached);
}
async function idOf({ index, codec }, task, taskId) {
    const { idempotencyKey, owner } = task;
    if (idempotencyKey === undefined)
        return { taskId, isUsed: false };
    const said = whatIsAsked(task);
    const [fingerprint = '', ...others] = (await codec.digestsFor(owner)).map((digest) => digest(said));
    const claim = await index.claimKey(owner, idempotencyKey, { taskId, fingerprint }, KEY_TTL_MS);
    if (![fingerprint, ...others].includes(claim.fingerprint))
        throw new TaskError('IDEMPOTENCY_MISMATCH');
    return claim;
}
/** Equal for calls that mean the same; the order of the arguments' members does not matter. */
function whatIsAsked({ tool, arguments: args, refused, implicit = false }) {
    return JSON.stringify([tool, implicit, canonical(args), ...(refused === undefined ? [] : [refused])]);
}
/**
 * Objects as lists of their sorted members. Digests of it are stored with their keys for days, so these bytes never change:
 * a library for canonical JSON writes objects as objects, and each key that is held would be refused after an upgrade.
 */
function canonical(value) {
    if (typeof value !== 'object' || value === null)
        return value;
    if (Array.isArray(value))
        return value.map((item) => canonical(item) ?? null);
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([name, member]) => [name, canonical(member) ?? null]);
}
//# sourceMappingURL=create-task.js.map