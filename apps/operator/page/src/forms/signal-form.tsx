/** Sends a signal to a task that waits for one: fields of the schema that the wait has recorded, or JSON. */
import { useMemo, useState } from 'preact/hooks';
import type { TaskDetails } from '../../../src/answers.js';
import { post } from '../api/client.js';
import { mayOperate } from '../api/session.js';
import { ReasonField, useAct } from '../parts/act.js';
import { textIn } from '../parts/form-text.js';
import { Json } from '../parts/json.js';
import { newKey } from '../parts/new-key.js';
import { notify } from '../parts/notices.js';
import { Failure } from '../parts/state.js';
import { Ago } from '../parts/time.js';
import { contentOf, type FieldProblem } from './content.js';
import { type Field, fieldsOf, isObject } from './fields.js';
import { SchemaFields } from './schema-fields.js';

type AwaitedSignal = NonNullable<TaskDetails['signals']>['awaited'][number];

/** The field of a value that is no object with named members. */
const VALUE = 'value';

interface SignalFormProps {
  readonly taskId: string;
  readonly wait: AwaitedSignal;
  readonly sent: () => void;
}

export function SignalForm({ taskId, wait, sent }: SignalFormProps) {
  const { names, since, until, schema } = wait;
  return (
    <article class="question" aria-label={`Signal ${names.join(' or ')}`}>
      <p class="asked">
        Waits for the signal{' '}
        {names.map((name, at) => (
          <>
            {at > 0 && ' or '}
            <code>{name}</code>
          </>
        ))}
      </p>
      <p class="quiet">
        since <Ago at={since} />
        {until !== undefined && (
          <>
            , until <Ago at={until} />
          </>
        )}
      </p>
      {mayOperate.value ? <Form taskId={taskId} wait={wait} sent={sent} /> : schema && <Json value={schema} label="What fits" />}
    </article>
  );
}

interface Given {
  readonly name: string;
  readonly value: unknown;
  readonly reason: string;
}

function Form({ taskId, wait: { names, schema }, sent }: SignalFormProps) {
  const { fields, isWhole } = useMemo(() => signalFields(schema), [JSON.stringify(schema)]);
  const [found, setFound] = useState<readonly FieldProblem[]>([]);
  const [id] = useState(newKey);
  const sending = useAct(async (given: Given) => {
    await post(`tasks/${taskId}/signals`, { ...given, id });
    notify('The signal was recorded.');
    sent();
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const { content, problems } = contentOf(fields, form);
    setFound(problems);
    const name = names.length > 1 ? textIn(form, 'name') : (names[0] ?? '');
    if (problems.length === 0) sending.run({ name, value: isWhole ? content : content[VALUE], reason: textIn(form, 'reason') });
  };
  const { error, isBusy } = sending;
  return (
    <form onSubmit={submit}>
      {names.length > 1 && (
        <label class="field">
          <span>Signal</span>
          <select name="name" required>
            <option value="">Choose…</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <SchemaFields fields={fields} problems={[...found, ...sending.fields]} />
      <ReasonField />
      {error !== undefined && <Failure message={error} />}
      <p class="actions">
        <button type="submit" class="main" disabled={isBusy}>
          Send
        </button>
      </p>
    </form>
  );
}

/** The fields for a value: those of an object's members, otherwise one for the whole value. */
function signalFields(schema: unknown): { readonly fields: readonly Field[]; readonly isWhole: boolean } {
  const fields = fieldsOf(schema);
  if (fields !== undefined) return { fields, isWhole: true };
  const whole = { title: 'Value', ...(isObject(schema) && schema) };
  const [field] = fieldsOf({ properties: { [VALUE]: whole }, required: [VALUE] }) ?? [];
  if (field === undefined) return { fields: [], isWhole: false };
  return { fields: [field.kind === 'json' ? { ...field, title: `${field.title}, as JSON` } : field], isWhole: false };
}
