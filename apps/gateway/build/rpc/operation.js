import { traceContextOf } from '@longhaul/runtime/telemetry';
/** A request that nothing is reported of. */
export function silentOperation(trace) {
    return { trace, within: (work) => work(), about: () => undefined, end: () => undefined };
}
/** Reports nothing; the trace of a request goes on all the same. */
export const NO_REPORTS = {
    begin: ({ message, headers }) => silentOperation(traceOf(message.params, headers)),
    sessionOpened: () => undefined,
    sessionEnded: () => undefined,
    refused: () => undefined,
};
/** The trace of a request: by its metadata, otherwise by its HTTP headers. */
function traceOf(params, headers) {
    return metadataTraceOf(params) ?? traceContextOf(headers);
}
/** The trace that the metadata of a request name. */
export function metadataTraceOf(params) {
    const meta = params?.['_meta'];
    return typeof meta === 'object' && meta !== null ? traceContextOf(meta) : undefined;
}
//# sourceMappingURL=operation.js.map