/**
 * A tolerance: requests of the tasks extension may come without the header `Mcp-Name`. The specification has clients
 * send it, and a client in wide use does not (docs/clients.md). It only serves those who route by it: without one, the
 * task is that of the params. A header that names another task is refused like any other that disagrees.
 */
import type { IncomingHttpHeaders } from 'node:http';

const METHODS: ReadonlySet<unknown> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

/** Adds the header that the client has left out, where it names a task in the params. */
export function addTaskName(headers: IncomingHttpHeaders, body: unknown): void {
  const { method, params } = (body ?? {}) as { readonly method?: unknown; readonly params?: { readonly taskId?: unknown } | null };
  const taskId = params?.taskId;
  if (!METHODS.has(method) || headers['mcp-name'] !== undefined || typeof taskId !== 'string') return;
  headers['mcp-name'] = `=?base64?${Buffer.from(taskId).toString('base64')}?=`;
}
