const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** The W3C trace context among the headers or the metadata of a request, if it has a valid one. */
export function traceOf({ traceparent }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}
