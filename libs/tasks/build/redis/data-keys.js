import { defineScript } from '@longhaul/redis';
import { dataKeyFrom, dataKeyText } from '../ports/data-keys.js';
import { ADD_DATA_KEY, DATA_KEYS_OF, PUT_BACK_DATA_KEY, REPLACE_DATA_KEY } from './scripts/data-keys.js';
import { whileReachable } from './store-fault.js';
const PAGE = 200;
/** Fields that have the ids of the keys of a scope begin with it. No id does. */
const OF = 'of:';
/** `DataKeyStore` on Redis: one hash, with each record at its id, and the ids of each scope. */
export class RedisDataKeys {
    redis;
    #add;
    #ofScope;
    #putBack;
    #replace;
    #name;
    constructor(redis, keys) {
        this.redis = redis;
        this.#add = defineScript(redis, ADD_DATA_KEY);
        this.#ofScope = defineScript(redis, DATA_KEYS_OF);
        this.#putBack = defineScript(redis, PUT_BACK_DATA_KEY);
        this.#replace = defineScript(redis, REPLACE_DATA_KEY);
        this.#name = keys.dataKeys();
    }
    async find(id) {
        const text = await whileReachable(() => this.redis.hget(this.#name, id));
        return text === null ? undefined : dataKeyFrom(text);
    }
    async ofScope(scope) {
        const records = await whileReachable(() => this.#ofScope({ dataKeys: this.#name }, { of: OF + scope }));
        return records.map(dataKeyFrom);
    }
    async add(record) {
        const records = await whileReachable(() => this.#add({ dataKeys: this.#name }, argsOf(record)));
        return records.map(dataKeyFrom);
    }
    async putBack(record) {
        const records = await whileReachable(() => this.#putBack({ dataKeys: this.#name }, argsOf(record)));
        return records.map(dataKeyFrom);
    }
    async replace(was, record) {
        const args = { id: was.id, was: dataKeyText(was), record: dataKeyText(record) };
        return whileReachable(() => this.#replace({ dataKeys: this.#name }, args));
    }
    async *all() {
        let cursor = '0';
        do {
            const [next, found] = await whileReachable(() => this.redis.hscan(this.#name, cursor, 'COUNT', PAGE));
            yield found.filter((_, at) => at % 2 === 1 && found[at - 1]?.startsWith(OF) === false).map(dataKeyFrom);
            cursor = next;
        } while (cursor !== '0');
    }
}
function argsOf(record) {
    return { id: record.id, of: OF + record.scope, record: dataKeyText(record) };
}
//# sourceMappingURL=data-keys.js.map