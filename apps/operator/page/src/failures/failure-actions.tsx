/** The actions on a group of failures: to retry its tasks, and to hide it. */
import { useState } from 'preact/hooks';
import { post } from '../api/client.js';
import type { BulkOperation, Failure } from '../../../src/answers.js';
import { BulkCount } from '../list/bulk-actions.js';
import { Act } from '../parts/act.js';
import { textIn } from '../parts/form-text.js';
import { jsonFrom } from '../parts/json-from.js';
import { RetryFrom, retryFrom } from '../parts/retry-from.js';
import { goTo } from '../router.js';

const HOUR_MS = 3_600_000;

export function RetryFailure({ group: { id, step } }: { readonly group: Failure }) {
  const [patch, setPatch] = useState<string | undefined>(undefined);
  const [isForced, setForced] = useState(false);
  const count = { action: 'retry', filter: { group: id }, ...(isForced && { force: true }) };
  const act = async (reason: string, form: FormData, idempotencyKey: string): Promise<void> => {
    const body = {
      reason,
      from: retryFrom(form),
      ...(patch !== undefined && { patch: jsonFrom(patch, 'changed arguments') }),
      ...(isForced && { force: true }),
      idempotencyKey,
    };
    goTo(['operations', (await post<BulkOperation>(`failures/${id}/retry`, body)).id]);
  };
  return (
    <Act label="Retry these" done="The operation has begun." act={act}>
      <BulkCount key={String(isForced)} body={count} />
      <RetryFrom failed={step} />
      <label class="option">
        <input type="checkbox" checked={patch !== undefined} onChange={() => setPatch(patch === undefined ? '{}' : undefined)} /> with
        changed arguments
      </label>
      {patch !== undefined && (
        <label class="field">
          <span>Members of the arguments to replace, as JSON; null removes one</span>
          <textarea class="json" rows={4} spellcheck={false} value={patch} onInput={({ currentTarget }) => setPatch(currentTarget.value)} />
        </label>
      )}
      <label class="option">
        <input type="checkbox" checked={isForced} onChange={({ currentTarget }) => setForced(currentTarget.checked)} /> also those that were
        retried before
      </label>
    </Act>
  );
}

export function HideFailure({ group: { id, state }, changed }: { readonly group: Failure; readonly changed: () => void }) {
  const mark = (verb: string, more: (form: FormData) => object = () => ({})) =>
    async function act(reason: string, form: FormData): Promise<void> {
      await post(`failures/${id}/${verb}`, { reason, ...more(form) });
      changed();
    };
  if (state !== 'open') return <Act label="Open it again" done="The group is open." act={mark('reopen')} />;
  return (
    <>
      <Act label="Snooze" done="The group is snoozed." act={mark('snooze', snoozeIn)}>
        <label class="field">
          <span>Until</span>
          <select name="snooze">
            <option value="1h">an hour has passed</option>
            <option value="24h">a day has passed</option>
            <option value="168h">a week has passed</option>
            <option value="10">10 more have failed</option>
            <option value="100">100 more have failed</option>
          </select>
        </label>
      </Act>
      <Act label="Dismiss" done="The group is dismissed." act={mark('dismiss')}>
        <p class="quiet">It stays hidden until somebody opens it again.</p>
      </Act>
    </>
  );
}

function snoozeIn(form: FormData): object {
  const chosen = textIn(form, 'snooze');
  if (!chosen.endsWith('h')) return { more: Number(chosen) };
  return { until: new Date(Date.now() + Number.parseInt(chosen, 10) * HOUR_MS).toISOString() };
}
