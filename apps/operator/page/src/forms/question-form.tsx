/** Shows the form in which an operator answers a task's question instead of its client. */
import { useMemo, useState } from 'preact/hooks';
import { post } from '../api/client.js';
import { mayOperate } from '../api/session.js';
import type { BulkOperation, Question } from '../../../src/answers.js';
import { BulkCount } from '../list/bulk-actions.js';
import { ReasonField, useAct } from '../parts/act.js';
import { textIn } from '../parts/form-text.js';
import { Json } from '../parts/json.js';
import { newKey } from '../parts/new-key.js';
import { notify } from '../parts/notices.js';
import { Failure } from '../parts/state.js';
import { goTo } from '../router.js';
import { contentOf, type FieldProblem } from './content.js';
import { fieldsOf } from './fields.js';
import { SchemaFields } from './schema-fields.js';

export type AskedQuestion = Pick<Question, 'taskId' | 'key' | 'method' | 'params' | 'answerable'>;

type Action = 'accept' | 'decline' | 'cancel';

const DONE: Readonly<Record<Action, string>> = {
  accept: 'The answer was recorded.',
  decline: 'The question was declined.',
  cancel: 'The question was dismissed.',
};

interface QuestionFormProps {
  readonly question: AskedQuestion;
  readonly answered?: () => void;
  /** The tool whose other tasks may get the same answer. */
  readonly tool?: string;
}

export function QuestionForm({ question, answered, tool }: QuestionFormProps) {
  const { method, params, answerable } = question;
  const message = typeof params['message'] === 'string' ? params['message'] : method;
  return (
    <article class="question" aria-label={message}>
      <p class="asked">{message}</p>
      {typeof params['url'] === 'string' && <Address url={params['url']} />}
      {!answerable && <p class="quiet">Only the client of the task can answer this.</p>}
      {answerable && mayOperate.value && <AnswerForm question={question} answered={answered} tool={tool} />}
      {(!answerable || !mayOperate.value) && <Json value={params['requestedSchema'] ?? params} label="What is asked" />}
    </article>
  );
}

/** The address that the user must open. From here, only a web page can be opened, and it learns nothing about this page. */
function Address({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url)) return <p class="quiet">{url}</p>;
  return (
    <p>
      Asks to open{' '}
      <a href={url} target="_blank" rel="noopener noreferrer">
        {url}
      </a>
    </p>
  );
}

interface GivenAnswer {
  readonly action: Action;
  readonly content: Record<string, unknown> | undefined;
  readonly reason: string;
}

interface AnswerFormProps {
  readonly question: AskedQuestion;
  readonly answered: (() => void) | undefined;
  readonly tool: string | undefined;
}

function AnswerForm({ question: { taskId, key, params }, answered, tool }: AnswerFormProps) {
  const fields = useMemo(() => fieldsOf(params['requestedSchema']) ?? [], [JSON.stringify(params)]);
  const [found, setFound] = useState<readonly FieldProblem[]>([]);
  const [isForAll, setForAll] = useState(false);
  const [idempotencyKey] = useState(newKey);
  const all = { action: 'answer', filter: { tool } };
  const sending = useAct(async ({ action, content, reason }: GivenAnswer) => {
    if (isForAll) {
      const { id } = await post<BulkOperation>('bulk', { ...all, answer: { action, content }, reason, idempotencyKey });
      return goTo(['operations', id]);
    }
    await post(`tasks/${taskId}/answers/${encodeURIComponent(key)}`, { action, content, reason });
    notify(DONE[action]);
    answered?.();
  });
  const { error, isBusy } = sending;
  const send = (action: Action, form: FormData): void => {
    const { content, problems } = action === 'accept' ? contentOf(fields, form) : { content: undefined, problems: [] };
    setFound(problems);
    if (problems.length === 0) sending.run({ action, content, reason: textIn(form, 'reason') });
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const action = (event.submitter as HTMLButtonElement | null)?.value ?? 'accept';
    send(action as Action, new FormData(event.currentTarget as HTMLFormElement));
  };
  return (
    <form onSubmit={submit}>
      <SchemaFields fields={fields} problems={[...found, ...sending.fields]} />
      {tool !== undefined && (
        <label class="option">
          <input type="checkbox" checked={isForAll} onChange={({ currentTarget }) => setForAll(currentTarget.checked)} /> The same to all
          that tasks of {tool} ask
        </label>
      )}
      {isForAll && <BulkCount body={all} />}
      <ReasonField />
      {error !== undefined && <Failure message={error} />}
      <p class="actions">
        <button type="submit" value="accept" class="main" disabled={isBusy}>
          Answer
        </button>
        <Refusals isBusy={isBusy} send={send} />
      </p>
    </form>
  );
}

/** A refusal needs only the reason. */
function Refusals({ isBusy, send }: { readonly isBusy: boolean; readonly send: (action: Action, form: FormData) => void }) {
  const refuse = (action: Action) => (event: MouseEvent) => {
    const { form } = event.currentTarget as HTMLButtonElement;
    const reason = form?.elements.namedItem('reason');
    if (form !== null && reason instanceof HTMLInputElement && reason.reportValidity()) send(action, new FormData(form));
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={refuse('decline')}>
        Decline
      </button>
      <button type="button" disabled={isBusy} onClick={refuse('cancel')}>
        Dismiss
      </button>
    </>
  );
}
