import { useId } from 'preact/hooks';
import { localTimeOf } from '../parts/time.js';
import { inputName, isBox, type FieldProblem } from './content.js';
import { type Field, takesEmpty, type TextFormat } from './fields.js';

/** A longer text gets several lines. */
const LINE_CHARACTERS = 200;

const INPUT_TYPES = {
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
} as const satisfies Readonly<Record<TextFormat, string>>;

/** The fields, each with its mistake. */
export function SchemaFields({ fields, problems }: { readonly fields: readonly Field[]; readonly problems: readonly FieldProblem[] }) {
  return (
    <>
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} problem={problems.find((each) => lastOf(each.field) === field.name)?.message} />
      ))}
    </>
  );
}

/** The API names a field by its path. */
function lastOf(path: string): string {
  return path.replace(/^(?:content|arguments)\./, '').split('.')[0] ?? path;
}

export interface InputProps<F extends Field = Field> {
  readonly field: F;
  readonly id: string;
  /** Ids of the elements that describe the field and its mistake. */
  readonly describedBy: string;
}

function FieldRow({ field, problem }: { readonly field: Field; readonly problem: string | undefined }) {
  const id = useId();
  const note = `${id}-note`;
  const isGroup = field.kind === 'choices';
  const Row = isGroup ? 'fieldset' : 'div';
  const title = (
    <>
      {field.title}
      {field.isRequired && <span class="quiet"> ({field.kind === 'text' && takesEmpty(field) ? 'may be empty' : 'required'})</span>}
    </>
  );
  return (
    <Row class="field">
      {isGroup ? <legend>{title}</legend> : <label for={id}>{title}</label>}
      <Input field={field} id={id} describedBy={note} />
      <span id={note}>
        {field.description !== undefined && <span class="quiet">{field.description}</span>}
        {problem !== undefined && <span class="failure">{problem}</span>}
      </span>
    </Row>
  );
}

function Input({ field, id, describedBy }: InputProps) {
  const given = { id, name: inputName(field), 'aria-describedby': describedBy };
  switch (field.kind) {
    case 'text':
      return <TextInput field={field} id={id} describedBy={describedBy} />;
    case 'number': {
      const limits = { min: field.minimum, max: field.maximum, step: field.isInteger ? 1 : 'any' };
      return <input {...given} {...limits} type="number" required={field.isRequired} defaultValue={textOf(field.initial)} />;
    }
    case 'yes-no':
      if (isBox(field)) return <input {...given} type="checkbox" defaultChecked={field.initial === true} />;
      return (
        <Choice
          {...given}
          isRequired={false}
          initial=""
          options={[
            { value: 'true', title: 'yes' },
            { value: 'false', title: 'no' },
          ]}
        />
      );
    case 'choice':
      return (
        <Choice
          {...given}
          isRequired={field.isRequired}
          initial={placeOf(field.options.findIndex(({ value }) => value === field.initial))}
          options={field.options.map(({ title }, at) => ({ value: placeOf(at), title }))}
        />
      );
    case 'choices':
      return <Choices field={field} id={id} describedBy={describedBy} />;
    case 'json': {
      const initial = field.initial === undefined ? '' : JSON.stringify(field.initial, undefined, 2);
      return <textarea {...given} rows={4} spellcheck={false} class="json" required={field.isRequired} defaultValue={initial} />;
    }
  }
}

function TextInput({ field, id, describedBy }: InputProps<Extract<Field, { kind: 'text' }>>) {
  const { format, minLength, maxLength, isRequired, initial } = field;
  const given = {
    id,
    name: inputName(field),
    'aria-describedby': describedBy,
    minLength,
    maxLength,
    required: isRequired && !takesEmpty(field),
  };
  const text = textOf(initial);
  if (format === undefined && ((maxLength ?? 0) > LINE_CHARACTERS || text.includes('\n')))
    return <textarea {...given} rows={4} defaultValue={text} />;
  // JSX accepts only one type at a time here; all of these have the same attributes.
  const type = (format === undefined ? 'text' : INPUT_TYPES[format]) as 'text';
  const step = format === 'date-time' ? 1 : undefined;
  const value = format === 'date-time' ? localTimeOf(text) : text;
  return <input {...given} type={type} step={step} autoComplete="off" defaultValue={value} />;
}

interface ChoiceProps {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string;
  readonly isRequired: boolean;
  readonly initial: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
}

function Choice({ isRequired, initial, options, ...given }: ChoiceProps) {
  return (
    <select {...given} required={isRequired}>
      <option value="">{isRequired ? 'Choose…' : '–'}</option>
      {options.map(({ value, title }) => (
        <option key={value} value={value} selected={value === initial}>
          {title === '' ? '(empty)' : title}
        </option>
      ))}
    </select>
  );
}

function Choices({ field, describedBy }: InputProps<Extract<Field, { kind: 'choices' }>>) {
  const initial = new Set(Array.isArray(field.initial) ? field.initial : []);
  return (
    <>
      {field.options.map(({ value, title }) => (
        <label key={value} class="option">
          <input type="checkbox" name={inputName(field)} value={value} defaultChecked={initial.has(value)} aria-describedby={describedBy} />{' '}
          {title}
        </label>
      ))}
    </>
  );
}

function textOf(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of an option: its position, because an empty text may be an option; empty for no option. */
function placeOf(at: number): string {
  return at < 0 ? '' : String(at);
}
