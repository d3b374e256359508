/** Fills in a form of a server on a terminal, field by field. Each field is asked again until the input fits. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import type { Person } from '../terminal/dialogue.js';
import { type Field, fieldOf } from './field.js';
import type { FieldValue } from './kinds.js';

/** The words that the user may type instead of any answer. */
const LEAVE: ReadonlyMap<string, 'decline' | 'cancel'> = new Map([
  ['/decline', 'decline'],
  ['/cancel', 'cancel'],
]);

/** Asks for everything that the form has, shows it, and asks whether to send it. A form that cannot be shown is cancelled. */
export async function fillForm(form: ElicitRequestFormParams['requestedSchema'], person: Person): Promise<ElicitResult> {
  const required = form.required ?? [];
  let fields: readonly Field[];
  try {
    fields = Object.entries(form.properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name)));
  } catch (error) {
    person.say(`This form cannot be shown, so it is cancelled: ${error instanceof Error ? error.message : String(error)}`);
    return { action: 'cancel' };
  }
  for (;;) {
    const answer = await askAll(fields, person);
    if (typeof answer === 'string') return { action: answer };
    const sent = await confirm(answer, person);
    if (sent !== 'again') return sent === 'accept' ? { action: 'accept', content: answer } : { action: sent };
  }
}

async function askAll(fields: readonly Field[], person: Person): Promise<Record<string, FieldValue> | 'decline' | 'cancel'> {
  const answer: [string, FieldValue][] = [];
  for (const field of fields) {
    for (const line of introduction(field)) person.say(line);
    const value = await askOne(field, person);
    if (value !== undefined && 'left' in value) return value.left;
    if (value !== undefined) answer.push([field.name, value.value]);
  }
  return Object.fromEntries(answer);
}

async function askOne(field: Field, person: Person): Promise<{ value: FieldValue } | { left: 'decline' | 'cancel' } | undefined> {
  const fallback = field.default === undefined ? '' : ` [${field.default}]`;
  for (;;) {
    const typed = await person.ask(`  ${field.hint}${fallback}: `);
    if (typed === undefined) return { left: 'cancel' };
    const left = LEAVE.get(typed.trim());
    if (left !== undefined) return { left };
    const reading = field.read(typed);
    if ('problem' in reading) person.say(`  ${reading.problem}`);
    else return reading.value === undefined ? undefined : { value: reading.value };
  }
}

async function confirm(answer: object, person: Person): Promise<'accept' | 'decline' | 'cancel' | 'again'> {
  person.say(`  ${JSON.stringify(answer)}`);
  for (;;) {
    const typed = await person.ask('  Send this? [Y]es, [e]dit, [n]o: ');
    if (typed === undefined) return 'cancel';
    const word = typed.trim().toLowerCase();
    if (['', 'y', 'yes'].includes(word)) return 'accept';
    if (['e', 'edit'].includes(word)) return 'again';
    if (['n', 'no'].includes(word)) return 'decline';
    const left = LEAVE.get(word);
    if (left !== undefined) return left;
  }
}

function introduction({ title, description, isRequired, choices }: Field): string[] {
  const optional = isRequired ? '' : ' (may be left empty)';
  return [`${title}${optional}${description === undefined ? '' : `: ${description}`}`, ...choices.map((choice) => `  ${choice}`)];
}
