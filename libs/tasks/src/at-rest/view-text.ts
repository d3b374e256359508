/**
 * The view of a task as it is kept. What callers, tools and models have said is encrypted where payloads are; most views have nothing
 * of it. The rest stays plain, as it does in lists. Which is which, the tables of the members say; what is in no table is encrypted,
 * because only a later version knows what it is.
 */
import type { AtRest } from '../domain/projections/members.js';
import { VIEW_AT_REST } from '../domain/projections/project.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { AS_IT_IS, notGenuine, type PayloadCodec, type Place, type Seal, whenReady } from '../ports/payload-codec.js';

/** A view as it is kept. */
export type KeptView = TaskView & {
  /** The payload, encrypted; absent where there is none, or none is encrypted. */
  readonly said?: string;
};

type Values = Readonly<Record<string, unknown>>;

/** The members whose parts are kept in different ways. */
const PARTS = Object.entries(VIEW_AT_REST).filter((entry): entry is [string, Exclude<AtRest, string>] => typeof entry[1] === 'object');

/** The text of a view, JSON. */
export function viewText(view: TaskView, seal: Seal): string {
  if (seal === AS_IT_IS) return JSON.stringify(view);
  const { plain, said } = divided(view);
  if (said === undefined) return JSON.stringify(view);
  return JSON.stringify({ ...plain, said: seal(JSON.stringify(said), placeOf(view)) });
}

/** The view that was kept of a task at a version. @throws TaskError `VALUE_NOT_GENUINE` for that of another one, and what the codec throws */
export function viewFrom(codec: PayloadCodec, of: Pick<TaskView, 'taskId' | 'version'>, text: string): TaskView | Promise<TaskView> {
  const kept = text.startsWith('{') ? (JSON.parse(text) as KeptView) : undefined;
  if (kept?.taskId !== of.taskId || kept.version !== of.version) throw notGenuine(placeOf(of));
  return openedView(codec, kept);
}

/** The view as it was before it was kept. @throws what the codec throws */
export function openedView(codec: PayloadCodec, { said, ...view }: KeptView): TaskView | Promise<TaskView> {
  // Payload stands in one place, or somebody else has put it there.
  if ((said !== undefined || !codec.takesPlain) && divided(view).said !== undefined) throw notGenuine(placeOf(view));
  if (said === undefined) return view;
  return whenReady(codec.open(said, placeOf(view)), (text) => withSaid(view, JSON.parse(text) as Values));
}

/** What of a view is plain, and what is not, if there is anything. Parts stand there under their own names; a list without entries says nothing. */
function divided(view: TaskView): { readonly plain: Values; readonly said: Values | undefined } {
  const said: Record<string, unknown> = {};
  const plainOf = (whole: object, table: Readonly<Record<string, AtRest>>): Values => {
    const plain: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(whole) as [string, unknown][]) {
      const atRest = Object.hasOwn(table, name) ? table[name] : 'sealed';
      if (typeof atRest === 'object' && typeof value === 'object' && value !== null) plain[name] = plainOf(value, atRest);
      else if (atRest === 'plain' || value === undefined || (Array.isArray(value) && value.length === 0)) plain[name] = value;
      else said[name] = value;
    }
    return plain;
  };
  const plain = plainOf(view, VIEW_AT_REST);
  return { plain, said: Object.keys(said).length > 0 ? said : undefined };
}

/** The view with what was said, each at its place. */
function withSaid(view: TaskView, said: Values): TaskView {
  const whole: Record<string, unknown> = { ...view };
  for (const [name, value] of Object.entries(said)) {
    const [place] = PARTS.find(([, parts]) => Object.hasOwn(parts, name)) ?? [];
    if (place === undefined) whole[name] = value;
    else whole[place] = { ...(whole[place] as Values), [name]: value };
  }
  return whole as unknown as TaskView;
}

function placeOf({ taskId, version }: Pick<TaskView, 'taskId' | 'version'>): Place {
  return { kind: 'task', id: taskId, field: 'view', version };
}
