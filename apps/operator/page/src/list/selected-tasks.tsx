/** Acts on the selected tasks of a list, one after the other. */
import { post, Problem } from '../api/client.js';
import { Act } from '../parts/act.js';
import type { Selection } from './task-rows.js';

/** Does something to each task; those that were refused stay selected. @throws Problem that says how many were refused, and why the first one */
async function actOnEach({ ids, change }: Selection, act: (taskId: string) => Promise<unknown>): Promise<void> {
  const refused = new Map<string, Problem>();
  for (const taskId of ids)
    await act(taskId).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      refused.set(taskId, error);
    });
  change(new Set(refused.keys()));
  const [first] = refused.values();
  if (first !== undefined)
    throw new Problem(first.status, first.code, `${refused.size} of ${ids.size} were refused, and are still selected: ${first.message}`);
}

export function SelectedTasks({ selection }: { readonly selection: Selection }) {
  const { ids, change } = selection;
  if (ids.size === 0) return null;
  const count = `${ids.size} selected`;
  return (
    <p class="actions" role="group" aria-label="Selected tasks">
      <strong>{count}</strong>
      <Act
        label="Retry selected"
        done="They are done again as new tasks."
        act={(reason, _form, key) =>
          actOnEach(selection, (taskId) => post(`tasks/${taskId}/retry`, { reason, idempotencyKey: `${key}-${taskId}` }))
        }
      >
        <p>{count}</p>
      </Act>
      <Act
        label="Cancel selected"
        done="They were cancelled."
        isGrave
        act={(reason) => actOnEach(selection, (taskId) => post(`tasks/${taskId}/cancel`, { reason }))}
      >
        <p>{count}</p>
      </Act>
      <button type="button" onClick={() => change(new Set())}>
        Clear the selection
      </button>
    </p>
  );
}
