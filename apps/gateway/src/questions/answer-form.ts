/**
 * Shows a question as a plain HTML form, which needs no script, and reads what a browser sends of it. Controls are named by the place of
 * their field: some names mean something to browsers, and a field may have any name.
 */
import type { Json, JsonObject } from '@longhaul/tasks';
import type { FormField } from './form-fields.js';
import { type Html, markup } from './markup.js';

/** The form as a browser has sent it: the values of each control, in their order. */
export type PostedForm = ReadonlyMap<string, readonly string[]>;

const nameOf = (index: number): string => `field-${index}`;

/** Reads a body of the type `application/x-www-form-urlencoded`. */
export function postedForm(body: string): PostedForm {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/** The content of an answer, before it is checked. Empty fields are left out if they are optional. */
export function postedContent(fields: readonly FormField[], posted: PostedForm): JsonObject {
  const read = fields.flatMap((field, index): [string, Json][] => {
    const value = postedValue(field, posted.get(nameOf(index)) ?? []);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(read);
}

function postedValue({ kind, isRequired, needsSome, format }: FormField, values: readonly string[]): Json | undefined {
  const [value = ''] = values;
  switch (kind) {
    case 'truth':
      return values.length > 0;
    case 'texts':
      return listOf(linesIn(value), isRequired, needsSome);
    case 'choices':
      return listOf(values, isRequired, needsSome);
    case 'text': {
      if (value === '' && !isRequired) return undefined;
      return format === 'date-time' ? instantOf(value) : value.replaceAll('\r\n', '\n');
    }
    default:
      return value === '' ? undefined : value;
  }
}

function listOf(values: readonly string[], isRequired: boolean, needsSome: boolean): Json | undefined {
  return values.length === 0 && needsSome && !isRequired ? undefined : values;
}

function linesIn(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

/** Browsers send a time without a zone. The page asks for the time in UTC. */
function instantOf(text: string): string {
  const [, minutes, seconds = ':00'] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(text) ?? [];
  return minutes === undefined ? text : `${minutes}${seconds}Z`;
}

/** The state of a form. */
export interface FormState {
  /** The earlier entries of the user. @defaultValue the defaults of the fields */
  readonly posted?: PostedForm | undefined;
  /** The name of the field that was refused. */
  readonly wrong?: string | undefined;
}

/** The controls of a form. */
export function formControls(fields: readonly FormField[], { posted, wrong }: FormState): readonly Html[] {
  return fields.map((field, index) => {
    const shown = { name: nameOf(index), isWrong: field.name === wrong, entered: posted?.get(nameOf(index)) ?? (posted && []) };
    return control(field, shown);
  });
}

/** How a control is shown. */
interface Shown {
  readonly name: string;
  readonly isWrong: boolean;
  /** The entry of the user; absent at first. */
  readonly entered: readonly string[] | undefined;
}

function control(field: FormField, shown: Shown): Html {
  switch (field.kind) {
    case 'truth':
      return checkbox(field, shown);
    case 'choices':
      return checkboxes(field, shown);
    case 'choice':
      return labelled(field, select(field, shown));
    case 'texts':
      return labelled(field, textarea(field, shown));
    default:
      return labelled(field, isLong(field) ? textarea(field, shown) : input(field, shown));
  }
}

function labelled(field: FormField, inner: Html): Html {
  return markup`<label>${field.title}${field.isRequired && STAR}${inner}${hint(field)}</label>`;
}

function hint({ description, kind, wanted, format }: FormField): Html | undefined {
  const how = kind === 'texts' ? 'One in each line.' : format === 'date-time' ? 'In UTC.' : kind === 'number' ? `${wanted}.` : '';
  const text = [description ?? '', how].filter((part) => part !== '').join(' ');
  return text === '' ? undefined : markup`<small>${text}</small>`;
}

const STAR = markup` <abbr title="required">*</abbr>`;
const INVALID = markup` aria-invalid="true"`;
const REQUIRED = markup` required`;
const CHECKED = markup` checked`;

function checkbox(field: FormField, { name, isWrong, entered }: Shown): Html {
  const isOn = entered === undefined ? field.default === true : entered.length > 0;
  const box = markup`<input type="checkbox" name="${name}" value="true"${isOn && CHECKED}${isWrong && INVALID}>`;
  return markup`<label>${box} ${field.title}${hint(field)}</label>`;
}

function checkboxes(field: FormField, { name, isWrong, entered }: Shown): Html {
  const chosen: readonly unknown[] = entered ?? (Array.isArray(field.default) ? field.default : []);
  const boxes = field.choices.map(({ value, title }) => {
    const box = markup`<input type="checkbox" name="${name}" value="${value}"${chosen.includes(value) && CHECKED}>`;
    return markup`<label>${box} ${title}</label>`;
  });
  return markup`<fieldset${isWrong && INVALID}><legend>${field.title}</legend>${hint(field)}${boxes}</fieldset>`;
}

function select(field: FormField, { name, isWrong, entered }: Shown): Html {
  const chosen = entered === undefined ? field.default : entered[0];
  const options = [{ value: '', title: '' }, ...field.choices].map(
    ({ value, title }) => markup`<option value="${value}"${value === chosen && SELECTED}>${title}</option>`,
  );
  return markup`<select name="${name}"${field.isRequired && REQUIRED}${isWrong && INVALID}>${options}</select>`;
}

const SELECTED = markup` selected`;

function isLong({ kind, default: entered }: FormField): boolean {
  return kind === 'text' && typeof entered === 'string' && (entered.includes('\n') || entered.length > 80);
}

function textarea(field: FormField, { name, isWrong, entered }: Shown): Html {
  const lines = Array.isArray(field.default) ? field.default.filter((line) => typeof line === 'string').join('\n') : field.default;
  const text = entered === undefined ? (typeof lines === 'string' ? lines : '') : (entered[0] ?? '');
  const isRequired = field.isRequired && field.kind === 'text';
  const start = markup`<textarea name="${name}" rows="4"${isRequired && REQUIRED}${isWrong && INVALID}>`;
  // Browsers leave out a line break at the beginning.
  return markup`${start}\n${text}</textarea>`;
}

const TYPES: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' };

function input(field: FormField, { name, isWrong, entered }: Shown): Html {
  const { kind, format = '', default: given } = field;
  const type = kind === 'number' ? 'number' : ((Object.hasOwn(TYPES, format) ? TYPES[format] : undefined) ?? 'text');
  const initial = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  const value = entered === undefined ? (type === 'datetime-local' ? timeInUtc(initial) : initial) : (entered[0] ?? '');
  const step = type === 'datetime-local' || format === 'integer' ? '1' : type === 'number' ? 'any' : undefined;
  const limits = markup`${step !== undefined && markup` step="${step}"`}${field.isRequired && REQUIRED}${isWrong && INVALID}`;
  return markup`<input type="${type}" name="${name}" value="${value}"${limits}>`;
}

/** An instant as a control of the type `datetime-local` shows it. */
function timeInUtc(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 19);
}
