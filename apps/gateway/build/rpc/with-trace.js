import { isJsonObject } from '@longhaul/tasks';
/** The params of a request to the client, with the trace that its work on the answer belongs to; they keep one that they name themselves. */
export function withTrace(params, trace) {
    if (trace === undefined)
        return params;
    const { traceparent, tracestate } = trace;
    const { _meta: own } = params;
    return { ...params, _meta: { traceparent, ...(tracestate !== undefined && { tracestate }), ...(isJsonObject(own) && own) } };
}
//# sourceMappingURL=with-trace.js.map