import { ANONYMOUS_OWNER, PLAIN } from '@longhaul/tasks';
/**
 * Signals whose messages go through the codec, in their order.
 *
 * @param onError called with a message that cannot be read, which is left out
 */
export function sealedSignals(signals, codec, onError) {
    if (codec === PLAIN)
        return signals;
    return {
        async publish(channel, message) {
            const seal = await codec.sealFor(ANONYMOUS_OWNER);
            await signals.publish(channel, seal(message, placeOf(channel)));
        },
        subscribe(channel, listener) {
            let last = Promise.resolve();
            const hear = async (text) => {
                listener(text === undefined ? undefined : await codec.open(text, placeOf(channel)));
            };
            return signals.subscribe(channel, (text) => {
                last = last.then(() => hear(text)).catch(onError);
            });
        },
    };
}
function placeOf(channel) {
    return { kind: 'signal', id: channel, field: 'message' };
}
//# sourceMappingURL=sealed-signals.js.map