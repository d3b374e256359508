/**
 * Makes the text of a view that is kept, and reads it. Texts of callers, tools and models are encrypted if payloads are; most views have
 * none. The rest stays plain, as it does in lists. The tables of the members decide that; a member that is in no table is encrypted,
 * because only a later version knows it.
 */
import type { AtRest } from '../domain/projections/members.js';
import { VIEW_AT_REST } from '../domain/projections/project.js';
import type { TaskView } from '../domain/projections/task-view.js';
import { AS_IT_IS, notGenuine, type PayloadCodec, type Place, type Seal, whenReady } from '../ports/payload-codec.js';

/** A view as it is kept. */
export type KeptView = TaskView & {
  /** The payload, encrypted; absent if the view has no payload, or payloads are not encrypted. */
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

/**
 * The view that was kept of a task at a version. @throws TaskError `VALUE_NOT_GENUINE` for the view of another task, and the codec's errors
 */
export function viewFrom(codec: PayloadCodec, of: Pick<TaskView, 'taskId' | 'version'>, text: string): TaskView | Promise<TaskView> {
  const kept = text.startsWith('{') ? (JSON.parse(text) as KeptView) : undefined;
  if (kept?.taskId !== of.taskId || kept.version !== of.version) throw notGenuine(placeOf(of));
  return openedView(codec, kept);
}

/** The view as it was before it was kept. @throws the codec's errors */
export function openedView(codec: PayloadCodec, { said, ...view }: KeptView): TaskView | Promise<TaskView> {
  // Payload stands in one place, or somebody else has put it there. Members that a later version keeps in plain are no payload.
  if ((said !== undefined || !codec.takesPlain) && divided(view, 'plain').said !== undefined) throw notGenuine(placeOf(view));
  if (said === undefined) return view;
  return whenReady(codec.open(said, placeOf(view)), (text) => withSaid(view, JSON.parse(text) as Values));
}

/**
 * Splits a view into its plain part, and its payload if it has one; a member with different parts is in both. A list without entries says
 * nothing.
 *
 * @param unknown the part for members that only a later version knows
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

/** The view with its payload. */
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
