import type { TraceContext } from '@longhaul/runtime/telemetry';
import { isJsonObject, type JsonObject } from '@longhaul/tasks';

/**
 * The params of a request to the client, with the trace that its work on the answer belongs to; if they name a trace themselves, they keep
 * it.
 */
export function withTrace(params: JsonObject, trace: Pick<TraceContext, 'traceparent' | 'tracestate'> | undefined): JsonObject {
  if (trace === undefined) return params;
  const { traceparent, tracestate } = trace;
  const { _meta: own } = params;
  return { ...params, _meta: { traceparent, ...(tracestate !== undefined && { tracestate }), ...(isJsonObject(own) && own) } };
}
