/**
 * The trace that is active where a request is made, for its metadata (SEP-414). It is that of OpenTelemetry's API: without an SDK in
 * the program there is none.
 */
import { context, propagation } from '@opentelemetry/api';
/** The members of `_meta` that carry it. */
const MEMBERS = ['traceparent', 'tracestate', 'baggage'];
/** @returns nothing where no trace is active */
export function activeTrace() {
    const carrier = {};
    propagation.inject(context.active(), carrier);
    if (carrier['traceparent'] === undefined)
        return undefined;
    // A propagator may write more, which is none of the protocol's.
    return Object.fromEntries(MEMBERS.flatMap((name) => (carrier[name] === undefined ? [] : [[name, carrier[name]]])));
}
//# sourceMappingURL=active-trace.js.map