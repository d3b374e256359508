import { TaskError } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { buildHealth, type Phase } from './health.js';

const fine = () => Promise.resolve();
const never = () => new Promise<void>(() => undefined);

async function ask(path: string, phase: Phase, ping: () => Promise<void>): Promise<{ code: number; status: unknown }> {
  const app = buildHealth({ phase: () => phase, ping, patienceMs: 5 });
  const response = await app.inject(path);
  await app.close();
  return { code: response.statusCode, status: response.json<{ status: unknown }>().status };
}

describe('/readyz of a worker', () => {
  it.each([
    { phase: 'taking jobs', store: 'answers', ping: fine, code: 200, status: 'ready' },
    { phase: 'taking jobs', store: 'is away', ping: () => Promise.reject(new Error('away')), code: 503, status: 'store unavailable' },
    { phase: 'taking jobs', store: 'is full', ping: () => Promise.reject(new TaskError('STORE_FULL')), code: 503, status: 'store full' },
    { phase: 'taking jobs', store: 'says nothing', ping: never, code: 503, status: 'store unavailable' },
    { phase: 'starting', store: 'answers', ping: fine, code: 503, status: 'starting' },
    { phase: 'draining', store: 'answers', ping: fine, code: 503, status: 'draining' },
  ] as const)('is $code while it is $phase and its store $store', async ({ phase, ping, code, status }) => {
    expect(await ask('/readyz', phase, ping)).toEqual({ code, status });
  });
});

describe('/livez of a worker', () => {
  it.each(['starting', 'taking jobs', 'draining'] as const)('is 200 while it is %s, also when its store does not answer', async (phase) => {
    expect(await ask('/livez', phase, never)).toEqual({ code: 200, status: 'ok' });
  });
});
