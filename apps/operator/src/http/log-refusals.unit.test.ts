import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import '../access/access-check.js';
import { logRefusals } from './log-refusals.js';
import { Refused } from './problems.js';

/** An app whose route answers with the error, and what it logs. */
function failing(error: Error, name?: string) {
  const lines: unknown[] = [];
  const app = fastify();
  app.decorateRequest('operator', undefined);
  app.addHook('onRequest', async (request) => {
    if (name !== undefined) request.operator = { name, role: 'read' };
  });
  logRefusals(app, pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) }));
  app.all('/tasks/:id', () => {
    throw error;
  });
  return { app, lines };
}

const readOnly = new Refused(403, 'READ_ONLY', 'no');

it('logs once a minute who may not make a request, with the route and nothing of the path', async () => {
  const { app, lines } = failing(readOnly, 'ada');
  for (const id of ['secret-1', 'secret-2'])
    await app.inject({ method: 'DELETE', url: `/tasks/${id}?text=secret`, remoteAddress: '203.0.113.7' });
  expect(lines).toEqual([
    {
      level: 40,
      msg: 'Requests of ada are refused.',
      code: 'READ_ONLY',
      method: 'DELETE',
      route: '/tasks/:id',
      network: '203.0.113.7',
      times: 1,
    },
  ]);
});

it('logs wrong tokens, and not the first request of a browser', async () => {
  const { app, lines } = failing(new Refused(401, 'UNAUTHORIZED', 'no'));
  await app.inject('/tasks/1');
  expect(lines).toEqual([]);
  await app.inject({ url: '/tasks/1', headers: { authorization: 'Bearer wrong' } });
  expect(lines).toMatchObject([{ msg: 'Requests of an unknown sender are refused.', code: 'UNAUTHORIZED' }]);
  expect(JSON.stringify(lines)).not.toContain('wrong');
});
