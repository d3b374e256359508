import { isAddressAccount } from '@longhaul/tasks';
import { OWNERS_PER_ADDRESS } from '@longhaul/tasks/limits';
import { accountToLimit } from '../rpc/caller.js';
import { Refusal, refusalOf, tooManyRequests } from '../rpc/errors.js';
/** @param configured of one caller, unless something is said of its tenant; an address may make as many as several */
export function requestRatesOf(configured, tenants) {
    return (account) => {
        const { requestsPerSecond = configured.perSecond, requestBurst: burst = configured.burst } = tenants.ofOwner(account);
        if (requestsPerSecond === null || requestsPerSecond === 0)
            return undefined;
        if (!isAddressAccount(account))
            return { perSecond: requestsPerSecond, burst };
        return { perSecond: OWNERS_PER_ADDRESS * requestsPerSecond, burst: OWNERS_PER_ADDRESS * burst };
    };
}
export function createCountRequests(rates, rateOf) {
    const waiting = new Map();
    const takeAll = () => {
        const all = [...waiting];
        waiting.clear();
        for (const [account, { rate, requests }] of all)
            void takeFor(account, rate, requests);
    };
    const takeFor = async (account, rate, requests) => {
        try {
            const { taken, retryAfterMs } = await rates.takeSome(ratedOf(account), requests.length, inStore(rate));
            for (const { resolve } of requests.slice(0, taken))
                resolve();
            for (const { reject } of requests.slice(taken))
                reject(refusalOf(tooManyRequests(rate, retryAfterMs)));
        }
        catch (error) {
            for (const { reject } of requests)
                reject(error);
        }
    };
    const takeOne = (account, rate) => {
        const { promise, resolve, reject } = Promise.withResolvers();
        if (waiting.size === 0)
            setImmediate(takeAll);
        const known = waiting.get(account);
        if (known === undefined)
            waiting.set(account, { rate, requests: [{ resolve, reject }] });
        else
            known.requests.push({ resolve, reject });
        return promise;
    };
    const takeMany = async (account, rate, count) => {
        const retryAfterMs = await rates.take(ratedOf(account), count, inStore(rate));
        if (retryAfterMs > 0)
            throw refusalOf(tooManyRequests(rate, retryAfterMs));
    };
    return (caller, count) => {
        const account = accountToLimit(caller);
        const rate = account === undefined ? undefined : rateOf(account);
        if (account === undefined || rate === undefined)
            return undefined;
        return begun(() => (count === 1 ? takeOne(account, rate) : takeMany(account, rate, count)));
    };
}
/** Begins at once, so that it goes out with what the request reads; and anew when it is asked for after the store could not say. */
function begun(count) {
    const begin = () => {
        const counting = count();
        // A request that is wrong in itself is refused for that, and nobody awaits this.
        counting.catch((error) => {
            if (!(error instanceof Refusal))
                counted = undefined;
        });
        return counting;
    };
    let counted = begin();
    return () => (counted ??= begin());
}
function ratedOf(account) {
    return { what: 'requests', account };
}
function inStore({ perSecond, burst }) {
    return { limit: burst, perMs: (burst * 1_000) / perSecond };
}
//# sourceMappingURL=request-limits.js.map