/** Shows the input and the output of an operation, which are loaded when it is opened. */
import type { HistoryEvent, TaskDetails } from '../../../src/answers.js';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import { Json } from '../parts/json.js';
import { Failure } from '../parts/state.js';
import { linkTo } from '../router.js';
import type { Shown } from './tree.js';
import { type Values, valuesOf } from './values.js';

export function OperationValues({ shown }: { readonly shown: Shown }) {
  const { taskId, operation } = shown;
  const { version, settledVersion, childTaskId, key, status } = operation;
  const { data, error, reload } = useLoaded((signal) => loadValues(shown, signal), [taskId, version, settledVersion, status]);
  const values = data.value;
  return (
    <>
      {childTaskId !== undefined && (
        <p>
          <a href={linkTo(['tasks', childTaskId])}>
            Task <code>{childTaskId}</code>
          </a>
        </p>
      )}
      {error.value !== undefined && <Failure message={error.value} retry={reload} />}
      {values !== undefined && <Parts values={values} name={key} />}
    </>
  );
}

function Parts({ values, name }: { readonly values: Values; readonly name: string }) {
  const parts = [
    ['Input', values.input],
    ['Output', values.output],
    ['Error', values.error],
  ] as const;
  const given = parts.filter(([, value]) => value !== undefined);
  if (given.length === 0) return <p class="quiet">It has no recorded input and output.</p>;
  return (
    <div class="values">
      {given.map(([title, value]) => (
        <div key={title}>
          <h3>{title}</h3>
          <Json value={value} label={`${title} of ${name}`} />
        </div>
      ))}
    </div>
  );
}

async function loadValues({ taskId, operation }: Shown, signal: AbortSignal): Promise<Values> {
  const { version, settledVersion, childTaskId } = operation;
  const eventAt = async (at: number): Promise<HistoryEvent | undefined> => {
    const { events } = await get<{ events: readonly HistoryEvent[] }>(`tasks/${taskId}/history`, { after: at - 1 }, signal);
    return events.find((event) => event.version === at);
  };
  const [opening, settling, child] = await Promise.all([
    eventAt(version),
    settledVersion === undefined ? undefined : eventAt(settledVersion),
    // A called task may be gone before the task that called it.
    childTaskId === undefined ? undefined : get<TaskDetails>(`tasks/${childTaskId}`, {}, signal).catch(() => undefined),
  ]);
  return { ...valuesOf(opening, settling), ...(child !== undefined && { input: child.arguments }) };
}
