/** Shows tools that start by themselves: all of them, or one with its next times and its history. */
import { useState } from 'preact/hooks';
import type { Schedule, ScheduleEntry, ScheduleWithHistory } from '../../../src/answers.js';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import { FactList } from '../parts/facts.js';
import { Json } from '../parts/json.js';
import { Nothing, Shown } from '../parts/state.js';
import { type Column, Table } from '../parts/table.js';
import { Ago, timeText } from '../parts/time.js';
import { linkTo } from '../router.js';
import { AddSchedule } from '../schedules/add-schedule.js';
import { ScheduleActions } from '../schedules/schedule-actions.js';
import { entryText, noteText, whenText } from '../schedules/schedule-text.js';

interface Page {
  readonly schedules: readonly Schedule[];
  readonly cursor?: string;
}

const COLUMNS: readonly Column<Schedule>[] = [
  { title: 'Name', cell: ({ name }) => <a href={linkTo(['schedules', name])}>{name}</a> },
  { title: 'Tool', cell: ({ tool }) => <code>{tool}</code> },
  { title: 'When', cell: whenText },
  { title: 'Next', cell: ({ next }) => (next === undefined ? '–' : <Ago at={next} />) },
  {
    title: 'Started last',
    cell: ({ last }) => (last === undefined ? '–' : <a href={linkTo(['tasks', last.taskId])}>{timeText(last.at)}</a>),
  },
  { title: 'Note', cell: (schedule) => <span class="cut">{noteText(schedule) ?? ''}</span> },
];

export function Schedules() {
  const [cursor, setCursor] = useState<string | undefined>(undefined);
  const page = useLoaded((signal) => get<Page>('schedules', { cursor, limit: 100 }, signal), [cursor], true);
  return (
    <>
      <h1>Schedules</h1>
      <p class="actions">
        <AddSchedule />
      </p>
      <Shown of={page}>
        {({ schedules, cursor: next }) => (
          <>
            {schedules.length === 0 ? (
              <Nothing>No tool starts by itself.</Nothing>
            ) : (
              <Table label="Schedules" columns={COLUMNS} rows={schedules} keyOf={({ name }) => name} />
            )}
            <p class="actions">
              <button type="button" disabled={cursor === undefined} onClick={() => setCursor(undefined)}>
                First ones
              </button>
              <button type="button" disabled={next === undefined} onClick={() => setCursor(next)}>
                More
              </button>
            </p>
          </>
        )}
      </Shown>
    </>
  );
}

const HISTORY: readonly Column<ScheduleEntry>[] = [
  { title: 'When', cell: ({ at }) => <time dateTime={at}>{timeText(at)}</time> },
  { title: 'What', cell: (entry) => <span class={entry.type === 'StartRefused' ? 'bad' : ''}>{entryText(entry)}</span> },
  { title: 'Task', cell: ({ taskId }) => (taskId === undefined ? '' : <a href={linkTo(['tasks', taskId])}>Task</a>) },
];

export function ScheduleView({ name }: { readonly name: string }) {
  const schedule = useLoaded((signal) => get<ScheduleWithHistory>(`schedules/${encodeURIComponent(name)}`, {}, signal), [name], true);
  return (
    <>
      <h1>{name}</h1>
      <Shown of={schedule}>{(found) => <Details schedule={found} changed={schedule.reload} />}</Shown>
    </>
  );
}

function Details({ schedule, changed }: { readonly schedule: ScheduleWithHistory; readonly changed: () => void }) {
  const { times, history } = schedule;
  const note = noteText(schedule);
  return (
    <>
      {note !== undefined && <p class="failure">{note}</p>}
      <ScheduleActions schedule={schedule} changed={changed} />
      <FactList facts={factsOf(schedule)} />
      <h2>Arguments</h2>
      <Json value={schedule.arguments} label="Arguments" />
      <section aria-labelledby="times">
        <h2 id="times">Next times</h2>
        {times.length === 0 ? (
          <Nothing>None.</Nothing>
        ) : (
          <ol>
            {times.map((time) => (
              <li key={time}>{timeText(time)}</li>
            ))}
          </ol>
        )}
      </section>
      <h2>History</h2>
      <Table label="History, newest first" columns={HISTORY} rows={history} keyOf={({ version }) => version} />
    </>
  );
}

function factsOf(schedule: Schedule): readonly (readonly [name: string, value: string])[] {
  const { tool, owner, overlap, catchUp, jitter, until, origin, addedBy, starts, skips, waiting } = schedule;
  return [
    ['Tool', tool],
    ['When', whenText(schedule)],
    ...(until === undefined ? [] : [['Until', timeText(until)] as const]),
    ['Owner of its tasks', owner],
    ['If an earlier task still runs', overlap],
    ['Late by at most', catchUp],
    ['Jitter', jitter],
    ['From', origin === 'file' ? 'the file of LONGHAUL_SCHEDULES, where it is changed' : addedBy],
    ['So far', `${starts.toLocaleString()} started, ${skips.toLocaleString()} skipped, ${waiting} waiting`],
  ];
}
