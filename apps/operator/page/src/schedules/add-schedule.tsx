/** Adds a schedule: its tool with the fields of its arguments, its times, and what happens when an earlier task still runs. */
import { useState } from 'preact/hooks';
import type { Schedule, Tool } from '../../../src/answers.js';
import { get, post, Problem } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import { ArgumentFields, argumentsOf } from '../forms/arguments-form.js';
import type { FieldProblem } from '../forms/content.js';
import { fieldsOf } from '../forms/fields.js';
import { Act } from '../parts/act.js';
import { textIn } from '../parts/form-text.js';
import { goTo } from '../router.js';

/** What a schedule is due by; each is the name of its member. */
const KINDS = {
  cron: { title: 'By cron', label: 'Minute, hour, day, month, weekday', example: '30 2 * * *' },
  every: { title: 'In an interval', label: 'Interval', example: '1h30m' },
  at: { title: 'Once', label: 'Date and time', example: '' },
} as const;

type Kind = keyof typeof KINDS;

const OVERLAPS = {
  skip: 'skip the time',
  queue: 'wait for its end',
  allow: 'start at the same time',
  cancel: 'cancel it',
} as const;

/** Members with a default; they are left out when they are empty. */
const FURTHER = [
  ['owner', 'Owner of its tasks', 'you'],
  ['jitter', 'Jitter', '0s'],
  ['catchUp', 'Late by at most', '1h'],
] as const;

/** The button and its dialog. */
export function AddSchedule() {
  const tools = useLoaded((signal) => get<{ readonly tools: Tool[] }>('tools', {}, signal), []).data.value?.tools ?? [];
  const [tool, setTool] = useState('');
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const fields = fieldsOf(tools.find(({ name }) => name === tool)?.inputSchema);
  const add = async (reason: string, form: FormData): Promise<void> => {
    const { content, problems: found } = argumentsOf(fields, form);
    setProblems(found);
    if (found.length > 0) throw new Problem(0, 'INVALID_ARGUMENTS', 'The arguments do not fit.');
    const schedule = { tool, arguments: content, ...timesIn(form), overlap: textIn(form, 'overlap'), ...furtherIn(form) };
    const added = await post<Schedule>('schedules', { name: textIn(form, 'name'), schedule, reason });
    goTo(['schedules', added.name]);
  };
  return (
    <Act label="Add a schedule" done="The schedule was added." act={add}>
      <label class="field">
        <span>Name</span>
        <input name="name" required autoComplete="off" />
      </label>
      <label class="field">
        <span>Tool</span>
        <input list="tools" required value={tool} autoComplete="off" onInput={(event) => setTool(event.currentTarget.value)} />
        <datalist id="tools">
          {tools.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <ArgumentFields key={fields === undefined ? '' : tool} fields={fields} problems={problems} />
      <Times />
      <label class="field">
        <span>If an earlier task still runs</span>
        <select name="overlap">
          {Object.entries(OVERLAPS).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <details>
        <summary>More</summary>
        {FURTHER.map(([name, title, usual]) => (
          <label key={name} class="field">
            <span>{title}</span>
            <input name={name} placeholder={usual} autoComplete="off" />
          </label>
        ))}
      </details>
    </Act>
  );
}

function Times() {
  const [kind, setKind] = useState<Kind>('cron');
  const { label, example } = KINDS[kind];
  const given = { name: 'times', required: true, autoComplete: 'off' } as const;
  return (
    <>
      <label class="field">
        <span>When</span>
        <select name="kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
          {Object.entries(KINDS).map(([value, { title }]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label key={kind} class="field">
        <span>{label}</span>
        {kind === 'at' ? <input {...given} type="datetime-local" step={1} /> : <input {...given} placeholder={example} />}
      </label>
      {kind === 'cron' && (
        <label class="field">
          <span>Time zone</span>
          <input name="timeZone" required defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone} autoComplete="off" />
        </label>
      )}
    </>
  );
}

function timesIn(form: FormData): Record<string, string> {
  const [kind, text] = [textIn(form, 'kind'), textIn(form, 'times')];
  if (kind === 'cron') return { cron: text, timeZone: textIn(form, 'timeZone') };
  return { [kind]: kind === 'at' ? new Date(text).toISOString() : text };
}

function furtherIn(form: FormData): Record<string, string> {
  return Object.fromEntries(FURTHER.map(([name]) => [name, textIn(form, name).trim()]).filter(([, text]) => text !== ''));
}
