import { waitUntil } from '../wait-until.js';
import type { ModernAnswer } from './rpc.js';

/** Resolves with the text of the task's result. */
export function untilCompleted(get: (taskId: string) => Promise<ModernAnswer>, taskId: string): Promise<string> {
  return waitUntil(
    async () => {
      const task = (await get(taskId)).body.result as { status?: string; result?: { content?: { text: string }[] } } | undefined;
      return task?.status === 'completed' && (task.result?.content?.[0]?.text ?? '');
    },
    { description: `task ${taskId} has ended` },
  );
}
