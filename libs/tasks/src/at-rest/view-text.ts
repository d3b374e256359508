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

interface Division {
  readonly plain: Values;
  readonly said: Values | undefined;
}

/** The text of a view, JSON. */
export function viewText(view: TaskView, seal: Seal): string {
  if (seal === AS_IT_IS) return JSON.stringify(view);
  const { plain, said } = divided(view, 'sealed');
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
  // Payload stands in one place, or somebody else has put it there. What a later version keeps in plain is none.
  if ((said !== undefined || !codec.takesPlain) && divided(view, 'plain').said !== undefined) throw notGenuine(placeOf(view));
  if (said === undefined) return view;
  return whenReady(codec.open(said, placeOf(view)), (text) => withSaid(view, JSON.parse(text) as Values));
}

/**
 * What of a view is plain, and what is not, if there is anything; of a member whose parts differ, both have some. A list without entries
 * says nothing.
 *
 * @param unknown where that belongs which only a later version knows
 */
function divided(whole: object, unknown: 'plain' | 'sealed', table: Readonly<Record<string, AtRest>> = VIEW_AT_REST): Division {
  const plain: Record<string, unknown> = {};
  const said: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(whole) as [string, unknown][]) {
    const atRest = Object.hasOwn(table, name) ? table[name] : unknown;
    if (typeof atRest === 'object' && typeof value === 'object' && value !== null) {
      const parts = divided(value, unknown, atRest);
      plain[name] = parts.plain;
      if (parts.said !== undefined) said[name] = parts.said;
    } else if (atRest === 'plain' || value === undefined || (Array.isArray(value) && value.length === 0)) plain[name] = value;
    else said[name] = value;
  }
  return { plain, said: Object.keys(said).length > 0 ? said : undefined };
}

/** The view with what was said. */
function withSaid(view: TaskView, said: Values): TaskView {
  const whole: Record<string, unknown> = { ...view, ...said };
  for (const [name, atRest] of Object.entries(VIEW_AT_REST))
    if (typeof atRest === 'object' && name in whole)
      whole[name] = { ...(view[name as keyof TaskView] as object), ...(said[name] as object) };
  return whole as unknown as TaskView;
}

function placeOf({ taskId, version }: Pick<TaskView, 'taskId' | 'version'>): Place {
  return { kind: 'task', id: taskId, field: 'view', version };
}
