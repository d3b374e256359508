/** `Signals` over the channels between the processes that have the data file open. */
export class SqliteSignals {
    channels;
    constructor(channels) {
        this.channels = channels;
    }
    async publish(channel, message) {
        this.channels.publish(nameOf(channel), message);
    }
    async subscribe(channel, listener) {
        return this.channels.add(nameOf(channel), listener);
    }
}
/** Tasks have channels of their own on the same file. */
function nameOf(channel) {
    return `signal ${channel}`;
}
//# sourceMappingURL=signals.js.map