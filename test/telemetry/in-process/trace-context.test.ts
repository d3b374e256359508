/** Tests other metadata of requests of revision 2026-07-28. */
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForTests } from '../../support/gateway/gateway.js';
import { rawRequest, type RawRequest } from '../../support/gateway-2026/raw-request.js';

const TRACES = [
  '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01',
  '00-11111111111111111111111111111111-2222222222222222-00',
] as const;

let url: string;
/** The metadata with which tasks were created. */
const traces: (string | undefined)[] = [];

const service = serviceForTests({
  tasks: (tasks) => ({
    ...tasks,
    create(task) {
      traces.push(task.trace);
      return tasks.create(task);
    },
  }),
});
beforeAll(async () => {
  url = await service.listen();
});

/** The trace that the task of a call is created with. */
async function traceOfTask(request: RawRequest): Promise<string | undefined> {
  await rawRequest(url, 'tools/call', { params: { name: 'count', arguments: { to: 1 } }, ...request });
  return traces.pop();
}

describe('the trace context of a call', () => {
  it('is recorded with its task, from the metadata or else from the headers', async () => {
    const [inMeta, inHeaders] = TRACES;

    expect(await traceOfTask({ meta: { traceparent: inMeta }, headers: { traceparent: inHeaders } })).toBe(inMeta);
    expect(await traceOfTask({ headers: { traceparent: inHeaders } })).toBe(inHeaders);
    expect(await traceOfTask({ meta: { traceparent: 'none' }, headers: { traceparent: inHeaders } })).toBe(inHeaders);
    expect(await traceOfTask({ meta: { traceparent: 7 } })).toBeUndefined();
  });
});
