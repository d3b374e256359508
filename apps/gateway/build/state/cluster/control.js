import { z } from 'zod';
const ControlMessage = z.discriminatedUnion('type', [
    z.object({ type: z.literal('session-ended'), sessionId: z.string() }),
    z.object({ type: z.literal('session-changed'), sessionId: z.string() }),
    z.object({ type: z.literal('request-cancelled'), sessionId: z.string(), requestId: z.union([z.string(), z.number()]) }),
    z.object({ type: z.literal('request-answered'), sessionId: z.string(), requestId: z.string() }),
]);
/** The channels between the gateways. */
export class Control {
    channels;
    logger;
    act;
    #unsubscribes = [];
    /** @param act called with each message, and with nothing when one may have been missed */
    constructor(channels, logger, act) {
        this.channels = channels;
        this.logger = logger;
        this.act = act;
    }
    async start() {
        const { signals, all, own } = this.channels;
        const hear = (text) => {
            if (text === undefined)
                return this.act(undefined);
            const message = ControlMessage.safeParse(jsonOf(text));
            if (message.success)
                this.act(message.data);
            else
                this.logger.warn('message of another gateway not understood'); // It may be of a later version.
        };
        this.#unsubscribes.push(...(await Promise.all([signals.subscribe(all, hear), signals.subscribe(own, hear)])));
    }
    /** Acts in this process at once, and in the others when they hear of it. */
    async publish(message) {
        this.act(message);
        const { signals, all } = this.channels;
        await signals.publish(all, JSON.stringify(message));
    }
    /** Has one gateway act, when it hears of it. */
    async publishTo(gatewayId, message) {
        const { signals, of } = this.channels;
        await signals.publish(of(gatewayId), JSON.stringify(message));
    }
    stop() {
        for (const unsubscribe of this.#unsubscribes)
            unsubscribe();
    }
}
function jsonOf(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
//# sourceMappingURL=control.js.map