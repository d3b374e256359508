/** The actions on a schedule. */
import { useState } from 'preact/hooks';
import type { Schedule } from '../../../src/answers.js';
import { post, remove } from '../api/client.js';
import { Act } from '../parts/act.js';
import { goTo } from '../router.js';

function pathOf(name: string): string {
  return `schedules/${encodeURIComponent(name)}`;
}

interface ActionsProps {
  readonly schedule: Schedule;
  readonly changed: () => void;
}

/** What an operator may do with a schedule: of one in the file, everything but removing it. */
export function ScheduleActions({ schedule: { name, paused, origin }, changed }: ActionsProps) {
  const act = (verb: string) => async (reason: string) => {
    await post(`${pathOf(name)}/${verb}`, { reason });
    changed();
  };
  const removed = async (reason: string): Promise<void> => {
    await remove(pathOf(name), { reason });
    goTo(['schedules']);
  };
  return (
    <p class="actions">
      <Act label="Run now" done="A task starts within a second." act={act('run')} />
      {paused === undefined ? (
        <Act key="pause" label="Pause" done="The schedule is paused." isGrave act={act('pause')}>
          <p class="quiet">Times of the pause are skipped. Running tasks continue.</p>
        </Act>
      ) : (
        <Act key="resume" label="Resume" done="The schedule starts tasks again." act={act('resume')} />
      )}
      <Backfill name={name} changed={changed} />
      {origin === 'api' && (
        <Act label="Remove" done="The schedule is removed." isGrave act={removed}>
          <p class="quiet">Its history is removed too. Its tasks continue.</p>
        </Act>
      )}
    </p>
  );
}

function Backfill({ name, changed }: { readonly name: string; readonly changed: () => void }) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const instant = (local: string): string => new Date(local).toISOString();
  const fill = async (reason: string): Promise<void> => {
    await post(`${pathOf(name)}/backfill`, { from: instant(from), to: instant(to), reason });
    changed();
  };
  return (
    <Act label="Backfill" done="Its past times start." act={fill}>
      <p class="quiet">Starts the times of a past range that were not started.</p>
      <label class="field">
        <span>From</span>
        <input type="datetime-local" required value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>To</span>
        <input type="datetime-local" required value={to} onInput={(event) => setTo(event.currentTarget.value)} />
      </label>
    </Act>
  );
}
