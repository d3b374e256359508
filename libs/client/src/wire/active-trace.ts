/**
 * Finds the trace that is active when a request is made, for its metadata (SEP-414). The trace is read from OpenTelemetry's API: without an
 * SDK in the program there is no trace.
 */
import { context, propagation } from '@opentelemetry/api';

/** The members of `_meta` that carry it. */
const MEMBERS = ['traceparent', 'tracestate', 'baggage'] as const;

/** @returns nothing where no trace is active */
export function activeTrace(): Readonly<Record<string, string>> | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  if (carrier['traceparent'] === undefined) return undefined;
  // A propagator may write more, which is none of the protocol's.
  return Object.fromEntries(MEMBERS.flatMap((name) => (carrier[name] === undefined ? [] : [[name, carrier[name]]])));
}
