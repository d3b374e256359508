import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { resolve } from 'node:path';
import { UserError } from '../../user-error.js';
import type { TaskDetails } from '../api/answers.js';
import { EXIT } from '../api/exit-codes.js';
import type { VerbContext } from '../command-line/verb.js';
import { historyOf } from './show-task.js';

/** `tasks export TASK [FILE]`: its history, a line each; the first line says of which task. */
export async function exportTask({ api, given, terminal }: VerbContext): Promise<number> {
  const [taskId, file, ...rest] = given.words;
  if (taskId === undefined || rest.length > 0) throw new UserError('usage: longhaul tasks export TASK [FILE]', EXIT.usage);
  const path = encodeURIComponent(taskId);
  const { tool, owner, createdAt } = await api.get<TaskDetails>(`/tasks/${path}`);
  const head = { format: 'longhaul-history', formatVersion: 1, taskId, tool, owner, createdAt };
  if (file === undefined) {
    terminal.out(JSON.stringify(head));
    for await (const event of historyOf(api, path)) terminal.out(JSON.stringify(event));
    return 0;
  }
  const stream = createWriteStream(resolve(terminal.cwd, file), { flags: 'wx', mode: 0o600 });
  const written = finished(stream);
  stream.write(`${JSON.stringify(head)}\n`);
  for await (const event of historyOf(api, path))
    if (!stream.write(`${JSON.stringify(event)}\n`)) await Promise.race([once(stream, 'drain'), written]);
  stream.end();
  await written;
  return 0;
}
