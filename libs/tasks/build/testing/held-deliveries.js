import { waitUntil } from './wait-until.js';
/** Consumes jobs and holds every delivery until the test ends it. */
export async function holdDeliveries(backend, concurrency = 10, rules) {
    const held = [];
    const consumer = await backend.consume((delivery) => new Promise((resolve, reject) => {
        held.push({ delivery, end: (verdict = {}) => resolve(verdict), reject });
    }), { concurrency, rules });
    return { consumer, held };
}
/** Waits until so many have been delivered. */
export async function heldCount(held, count) {
    await waitUntil(() => held.length === count, { description: `${count} jobs are delivered` });
}
//# sourceMappingURL=held-deliveries.js.map