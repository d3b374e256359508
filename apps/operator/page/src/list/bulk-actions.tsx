/** Acts on all tasks that fit a filter: the dialog shows their number before anything happens. */
import { useEffect, useState } from 'preact/hooks';
import { messageOf, post } from '../api/client.js';
import type { BulkAction, BulkOperation } from '../../../src/answers.js';
import { Act } from '../parts/act.js';
import { Failure } from '../parts/state.js';
import { goTo } from '../router.js';
import type { filterFrom } from './filter-form.js';

type Filter = Partial<ReturnType<typeof filterFrom>>;

/** Actions that are the same for all tasks; an answer is given where a question is shown. */
type Deed = Exclude<BulkAction, 'answer'>;

const LABELS: Readonly<Record<Deed, string>> = { cancel: 'Cancel all of them', retry: 'Retry all of them' };

/** The tasks that an action applies to: other tasks of the filter stay unchanged. */
const MEANT: Readonly<Record<Deed, string>> = {
  cancel: 'have not ended',
  retry: 'failed, unless the filter names other statuses',
};

/** Both actions for the tasks of a filter. */
export function BulkActions({ filter }: { readonly filter: Filter }) {
  return (
    <>
      <BulkAct action="retry" filter={filter} />
      <BulkAct action="cancel" filter={filter} />
    </>
  );
}

function BulkAct({ action, filter, label = LABELS[action] }: { readonly action: Deed; readonly filter: Filter; readonly label?: string }) {
  const [isForced, setForced] = useState(false);
  const body = { action, filter: bodyOf(filter), ...(isForced && { force: true }) };
  const [matched, setMatched] = useState<number | undefined>(undefined);
  const act = async (reason: string, _form: FormData, idempotencyKey: string): Promise<void> => {
    const all = Object.keys(body.filter).length === 0 ? { all: true, matched } : {};
    const { id } = await post<BulkOperation>('bulk', { ...body, ...all, reason, idempotencyKey });
    goTo(['operations', id]);
  };
  return (
    <Act label={label} done="The operation has begun." isGrave={action === 'cancel'} act={act}>
      <BulkCount key={String(isForced)} body={body} counted={setMatched} />
      <p class="quiet">Only tasks that exist now and {MEANT[action]}.</p>
      {action === 'retry' && (
        <label class="option">
          <input type="checkbox" checked={isForced} onChange={({ currentTarget }) => setForced(currentTarget.checked)} /> also those that
          were retried before
        </label>
      )}
    </Act>
  );
}

/** The number of tasks that an operation would change. @param body as the API counts them @param counted receives the number */
export function BulkCount({ body, counted }: { readonly body: object; readonly counted?: (matched: number) => void }) {
  const [matched, setMatched] = useState<number | undefined>(undefined);
  const [error, setError] = useState<string | undefined>(undefined);
  useEffect(() => {
    post<{ readonly matched: number }>('bulk/count', body).then(
      (found) => setMatched(found.matched),
      (problem: unknown) => setError(messageOf(problem)),
    );
  }, []);
  useEffect(() => {
    if (matched !== undefined) counted?.(matched);
  }, [matched]);
  if (error !== undefined) return <Failure message={error} />;
  return (
    <p aria-live="polite">{matched === undefined ? 'Counting…' : `${matched.toLocaleString()} ${matched === 1 ? 'task' : 'tasks'}`}</p>
  );
}

/** The filter in a body has a list of statuses, and leaves out absent members. */
function bodyOf({ status, ...rest }: Filter): object {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '');
  return { ...Object.fromEntries(given), ...(status !== undefined && status !== '' && { status: status.split(',') }) };
}
