/** A client for which more than this waits when the next message comes is cut off. */
export const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
export class SseWriter {
    raw;
    constructor(raw) {
        this.raw = raw;
    }
    /** The headers go out with the first text, of the same turn. */
    begin() {
        this.raw.writeHead(200, {
            'content-type': 'text/event-stream',
            'cache-control': 'no-cache, no-transform',
            connection: 'keep-alive',
            'x-accel-buffering': 'no',
        });
        // By themselves, because Node would keep their text in pieces for as long as the stream lasts: a KiB.
        const { socket } = this.raw;
        socket?.cork();
        this.raw.flushHeaders();
        process.nextTick(() => socket?.uncork());
    }
    /**
     * Says how long the client must wait before it connects again if the connection breaks.
     *
     * @param id where it is to go on; an event without data is no message
     */
    retry(ms, id) {
        this.#write(`retry: ${ms}\n\n${id === undefined ? '' : `id: ${id}\ndata: \n\n`}`);
    }
    /**
     * Sends a message, given as JSON, which has no line breaks of its own: one `data` line is enough.
     *
     * @param id absent for a message that cannot be sent again
     */
    send(json, id) {
        // What waits is judged, not this message, which may be long: the client had no time to read it.
        if (this.raw.writableLength > MAX_BUFFERED_BYTES)
            return void this.raw.destroy();
        this.#write(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${json}\n\n`);
    }
    /** A sign of life, so that no proxy on the way closes a silent stream. */
    keepAlive() {
        this.#write(': keep-alive\n\n');
    }
    end() {
        this.raw.end();
    }
    #write(text) {
        if (!this.raw.destroyed && !this.raw.writableEnded)
            this.raw.write(text);
    }
}
//# sourceMappingURL=sse-writer.js.map