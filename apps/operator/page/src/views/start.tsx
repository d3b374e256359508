/** Starts a tool as a task, with a form for its schema. */
import { useMemo, useState } from 'preact/hooks';
import { get, post } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import { mayOperate } from '../api/session.js';
import type { Task, Tool } from '../../../src/answers.js';
import { ArgumentFields, argumentsOf } from '../forms/arguments-form.js';
import type { FieldProblem } from '../forms/content.js';
import { fieldsOf } from '../forms/fields.js';
import { Act, ReasonField, useAct } from '../parts/act.js';
import { textIn } from '../parts/form-text.js';
import { notify } from '../parts/notices.js';
import { Failure, Nothing, Shown } from '../parts/state.js';
import { goTo, route } from '../router.js';

export function Start() {
  const tools = useLoaded((signal) => get<{ readonly tools: Tool[] }>('tools', {}, signal), []);
  const name = route.value.query['tool'] ?? '';
  return (
    <>
      <h1>Start a tool</h1>
      {!mayOperate.value && <Nothing>Your token may read only.</Nothing>}
      <Import />
      <Shown of={tools}>
        {({ tools: all }) => {
          const tool = all.find((each) => each.name === name);
          return (
            <>
              <label class="field">
                <span>Tool</span>
                <select value={name} onChange={(event) => goTo(['start'], { tool: event.currentTarget.value })}>
                  <option value="">Choose…</option>
                  {all.map(({ name: each, title }) => (
                    <option key={each} value={each}>
                      {title === undefined ? each : `${title} (${each})`}
                    </option>
                  ))}
                </select>
              </label>
              {tool !== undefined && <StartForm key={tool.name} tool={tool} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

function StartForm({ tool: { name, description, inputSchema, paused } }: { readonly tool: Tool }) {
  const fields = useMemo(() => fieldsOf(inputSchema), [inputSchema]);
  const [found, setFound] = useState<readonly FieldProblem[]>([]);
  const starting = useAct(async (body: object) => {
    const { taskId } = await post<Task>(`tools/${encodeURIComponent(name)}/tasks`, body);
    notify('The task was created.');
    goTo(['tasks', taskId]);
  });
  const { error, isBusy } = starting;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const { content, problems } = argumentsOf(fields, form);
    const owner = textIn(form, 'owner').trim();
    setFound(problems);
    if (problems.length > 0) return;
    const priority = textIn(form, 'priority').trim();
    starting.run({
      arguments: content,
      owner: owner === '' ? undefined : owner,
      priority: priority === '' ? undefined : Number(priority),
      reason: textIn(form, 'reason'),
    });
  };
  return (
    <form onSubmit={submit} aria-label={name}>
      {description !== undefined && <p>{description}</p>}
      {paused && <p class="quiet">This tool is paused: the task waits until it is resumed.</p>}
      <ArgumentFields fields={fields} problems={[...found, ...starting.fields]} />
      <label class="field">
        <span>Owner, if it is to belong to somebody</span>
        <input name="owner" maxLength={1_024} autoComplete="off" />
      </label>
      <label class="field">
        <span>Priority among tasks of its owner, from -10 to 10</span>
        <input name="priority" type="number" min={-10} max={10} step={1} autoComplete="off" />
      </label>
      <ReasonField />
      {error !== undefined && <Failure message={error} />}
      <p class="actions">
        <button type="submit" class="main" disabled={isBusy || !mayOperate.value}>
          Start
        </button>
      </p>
    </form>
  );
}

/** Imports the history of a task that has ended elsewhere, to look at it or to retry it here. */
function Import() {
  const [text, setText] = useState('');
  const take = async (reason: string): Promise<void> => {
    const { taskId } = await post<Task>('tasks/import', { history: JSON.parse(text) as unknown, reason });
    goTo(['tasks', taskId]);
  };
  const read = (input: HTMLInputElement): void => void input.files?.[0]?.text().then(setText);
  return (
    <Act label="Import a history" done="The task was imported." act={take}>
      <label class="field">
        <span>File that was exported</span>
        <input type="file" accept="application/json" required onChange={(event) => read(event.currentTarget)} />
      </label>
    </Act>
  );
}
