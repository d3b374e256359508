import { pino } from 'pino';
import { expect, it } from 'vitest';
import { LOG_FIELDS } from './log-fields.js';

it('the id of a task and its owner are logged as hashes, the same each time', () => {
  const lines: string[] = [];
  const logger = pino({ serializers: LOG_FIELDS }, { write: (line) => void lines.push(line) });
  const taskId = 'b5fa62aa-7e29-414b-a81b-c563e89da3dd';
  logger.info({ taskId, owner: 'session:ada' }, 'once');
  logger.child({ pass: 1 }).warn({ taskId, owner: 'session:ada' }, 'again');

  const [once, again] = lines.map((line) => JSON.parse(line) as { taskId: string; owner: string });
  const hash = expect.stringMatching(/^[0-9a-f]{12}$/) as string;
  expect(once).toMatchObject({ taskId: hash, owner: hash });
  expect(again).toMatchObject({ taskId: once?.taskId, owner: once?.owner });
  expect(lines.join('')).not.toContain(taskId);
  expect(lines.join('')).not.toContain('ada');
});
