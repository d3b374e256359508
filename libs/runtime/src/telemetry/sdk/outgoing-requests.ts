/**
 * Makes HTTP requests of this process continue the trace that is active where they start. Node reports when a request begins, before its
 * headers are sent, both for `fetch` with undici and for `node:http`.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { context, propagation, trace } from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';

const UNDICI = 'undici:request:create';
const NODE = 'http.client.request.created';

/** The part of undici's request that is used here. */
interface UndiciRequest {
  readonly headers: string | readonly (string | readonly string[])[];
  addHeader(name: string, value: string): void;
}

/** @returns a function that stops it */
export function continueTraces(): () => void {
  const onUndici = (message: unknown): void => {
    const { request } = message as { request: UndiciRequest };
    const names =
      typeof request.headers === 'string' ? request.headers.toLowerCase() : request.headers.map((name) => String(name).toLowerCase());
    carry(
      (name) => names.includes(name),
      (name, value) => request.addHeader(name, value),
    );
  };
  const onNode = (message: unknown): void => {
    const { request } = message as { request: ClientRequest };
    if (!request.headersSent)
      carry(
        (name) => request.hasHeader(name),
        (name, value) => request.setHeader(name, value),
      );
  };
  subscribe(UNDICI, onUndici);
  subscribe(NODE, onNode);
  return () => {
    unsubscribe(UNDICI, onUndici);
    unsubscribe(NODE, onNode);
  };
}

/** A request that names its trace itself is left unchanged. */
function carry(has: (name: string) => boolean, set: (name: string, value: string) => void): void {
  const active = context.active();
  if (trace.getSpanContext(active) === undefined || isTracingSuppressed(active) || has('traceparent')) return;
  propagation.inject(active, undefined, { set: (_carrier, name, value) => set(name, value) });
}
