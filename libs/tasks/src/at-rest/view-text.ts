/**
 * The view of a task as it is kept. What callers, tools and models have said is encrypted where payloads are; most views have nothing
 * of it. The rest stays plain, as it does in lists.
 */
import type { TaskView } from '../domain/projections/task-view.js';
import { AS_IT_IS, notGenuine, type PayloadCodec, type Place, type Seal, whenReady } from '../ports/payload-codec.js';

/** What of a view is payload. */
type Said = Partial<Pick<TaskView, 'statusMessage' | 'progress' | 'progressToken' | 'traceState' | 'pendingInputs'>> & {
  readonly asks?: TaskView['standing']['asks'];
  /** Of its end. */
  readonly message?: string;
};

/** A view as it is kept. */
export type KeptView = TaskView & {
  /** The payload, encrypted; absent where there is none, or none is encrypted. */
  readonly said?: string;
};

/** The text of a view, JSON. */
export function viewText(view: TaskView, seal: Seal): string {
  if (seal === AS_IT_IS) return JSON.stringify(view);
  const { statusMessage, progress, progressToken, traceState, pendingInputs, standing, ending, ...plain } = view;
  const { asks, ...placed } = standing;
  const { message, ...ended } = ending ?? {};
  if (!hasPayload(view)) return JSON.stringify(view);
  const said = seal(JSON.stringify({ statusMessage, progress, progressToken, traceState, pendingInputs, asks, message }), placeOf(view));
  return JSON.stringify({ ...plain, pendingInputs: [], standing: placed, ending: ending && ended, said });
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
  if (hasPayload(view) && (said !== undefined || !codec.takesPlain)) throw notGenuine(placeOf(view));
  if (said === undefined) return view;
  return whenReady(codec.open(said, placeOf(view)), (text) => {
    const { asks, message, ...own } = JSON.parse(text) as Said;
    const { standing, ending } = view;
    return {
      ...view,
      ...own,
      standing: asks === undefined ? standing : { ...standing, asks },
      ...(ending !== undefined && { ending: message === undefined ? ending : { ...ending, message } }),
    };
  });
}

function hasPayload({ statusMessage, progress, progressToken, traceState, pendingInputs, standing, ending }: TaskView): boolean {
  // No list of them, since each view that is read is asked.
  return (
    pendingInputs.length > 0 ||
    statusMessage !== undefined ||
    progress !== undefined ||
    progressToken !== undefined ||
    traceState !== undefined ||
    standing.asks !== undefined ||
    ending?.message !== undefined
  );
}

function placeOf({ taskId, version }: Pick<TaskView, 'taskId' | 'version'>): Place {
  return { kind: 'task', id: taskId, field: 'view', version };
}
