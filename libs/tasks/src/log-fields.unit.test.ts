import { pino } from 'pino';
import { expect, it } from 'vitest';
import { LOG_FIELDS } from './log-fields.js';

it('the id of a task is logged as a hash, the same each time', () => {
  const lines: string[] = [];
  const logger = pino({ serializers: LOG_FIELDS }, { write: (line) => void lines.push(line) });
  const taskId = 'b5fa62aa-7e29-414b-a81b-c563e89da3dd';
  logger.info({ taskId }, 'once');
  logger.child({ pass: 1 }).warn({ taskId }, 'again');

  const logged = lines.map((line) => (JSON.parse(line) as { taskId: string }).taskId);
  expect(logged[0]).toMatch(/^[0-9a-f]{12}$/);
  expect(logged[1]).toBe(logged[0]);
  expect(lines.join('')).not.toContain(taskId);
});
