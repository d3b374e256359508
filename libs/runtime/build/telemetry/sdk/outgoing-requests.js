/**
 * HTTP requests of this process continue the trace that is active where they are made. Node says when one begins, before its
 * headers go out: `fetch` and undici, and `node:http`.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, propagation, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
const UNDICI = 'undici:request:create';
const NODE = 'http.client.request.created';
/** @returns what ends it */
export function continueTraces() {
    const onUndici = (message) => {
        const { request } = message;
        const names = typeof request.headers === 'string' ? request.headers.toLowerCase() : request.headers.map((name) => String(name).toLowerCase());
        carry((name) => names.includes(name), (name, value) => request.addHeader(name, value));
    };
    const onNode = (message) => {
        const { request } = message;
        if (!request.headersSent)
            carry((name) => request.hasHeader(name), (name, value) => request.setHeader(name, value));
    };
    subscribe(UNDICI, onUndici);
    subscribe(NODE, onNode);
    return () => {
        unsubscribe(UNDICI, onUndici);
        unsubscribe(NODE, onNode);
    };
}
/** A request that names its trace itself is left as it is. */
function carry(has, set) {
    const active = context.active();
    if (trace.getSpanContext(active) === undefined || isTracingSuppressed(active) || has('traceparent'))
        return;
    propagation.inject(active, undefined, { set: (_carrier, name, value) => set(name, value) });
}
//# sourceMappingURL=outgoing-requests.js.map