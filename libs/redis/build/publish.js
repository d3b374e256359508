import { defineScript, script } from './script.js';
/**
 * A script, so that on a cluster all messages of a channel are published by the same node, which keeps
 * them in order; a plain PUBLISH goes to any node.
 */
const PUBLISH = script({ keys: ['channel'], texts: ['message'], lua: `redis.call('PUBLISH', channel, message)` });
/** Has the client publish. */
export function definePublish(redis) {
    const run = defineScript(redis, PUBLISH);
    return (channel, message) => run({ channel }, { message });
}
//# sourceMappingURL=publish.js.map