/** `tasks list --text`: prints tasks as they are found, and says on standard error how far the search is. */
import { printableLine } from '@longhaul/runtime/printable';
import type { Task } from '@longhaul/operator';
import { stateOf } from '@longhaul/operator/task-state';
import { filterOf, limitOf } from '../command-line/flags.js';
import type { VerbContext } from '../command-line/verb.js';
import { age } from '../output/texts.js';

/** How far a search is. */
interface Searched {
  looked: number;
  unreadable: number;
  /** When the task was created that was read last. Absent when all were read. */
  reached?: string | undefined;
}

export async function searchTasks({ api, given, output, terminal, signal }: VerbContext, text: string): Promise<number> {
  const limit = limitOf(given);
  const tasks: Task[] = [];
  const searched: Searched = { looked: 0, unreadable: 0 };
  let isAtEnd = false;
  const note = output.form === 'text' && process.stderr.isTTY ? overwrite : () => undefined;
  const enough = new AbortController();
  try {
    const events = api.events('/tasks/search', { ...filterOf(given), text }, AbortSignal.any([signal, enough.signal]));
    for await (const { event, data } of events) {
      // The tasks of one step come together, before its progress.
      if (event === 'task' && tasks.length < limit) {
        note('');
        tasks.push(data as Task);
        if (output.form !== 'json') output.entry(data as Task, lineOf(data as Task));
      }
      if (event === 'progress') {
        const { looked, unreadable, reached } = data as Searched;
        Object.assign(searched, { looked: searched.looked + looked, unreadable: searched.unreadable + unreadable, reached });
        note(`${progressText(tasks.length, searched)} …`);
      }
      isAtEnd = event === 'end';
      if (isAtEnd || (event === 'progress' && tasks.length === limit)) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    enough.abort();
    note('');
  }
  if (tasks.length === limit && !isAtEnd) searched.reached = tasks.at(-1)?.createdAt;
  if (output.form === 'json') output.list(tasks, [], { tasks, searched: { ...searched, isAtEnd } });
  if (output.form === 'text') terminal.err(summaryOf(tasks.length, searched, isAtEnd));
  return 0;
}

function overwrite(line: string): void {
  process.stderr.write(`\r\u001B[K${line}`);
}

function lineOf(task: Task): string {
  const { taskId, tool, createdAt, match } = task;
  const found = match === undefined ? '' : `${match.place}: ${match.excerpt}`;
  return [taskId, printableLine(tool, 40), stateOf(task), age(createdAt), printableLine(found, 160)].join('  ');
}

function progressText(found: number, { looked, reached }: Searched): string {
  return `${found} found in ${looked.toLocaleString('en')} tasks${reached === undefined ? '' : `, back to ${reached}`}`;
}

function summaryOf(found: number, searched: Searched, isAtEnd: boolean): string {
  const { looked, unreadable } = searched;
  const lacking = unreadable === 0 ? '' : ` ${unreadable} tasks could not be read.`;
  if (isAtEnd) return `${found} found in all ${looked.toLocaleString('en')} tasks that fit.${lacking}`;
  return `${progressText(found, searched)}. Older tasks may have the text too: raise --limit, or continue with --before.${lacking}`;
}
