/** Says how the clients of a task get a result that is a large value: whole, or as links to its parts. */
import type { JsonObject } from '../domain/json.js';
import type { LargeValue } from '../domain/large-value.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { MAX_RESULT_BYTES } from '../limits.js';
import type { EventStore } from '../ports/event-store.js';
import type { LargeValues } from '../ports/large-values.js';
import { wrappedStore } from '../ports/wrapped-store.js';

/** The address of a part of a large result; with 1 for the first part. */
export const LARGE_RESULT_PART = 'longhaul://tasks/{taskId}/large-result/{part}';

const MIME_TYPE = 'application/json';

/** More links would be no use to anybody: the rest are named by the text. */
const MAX_LINKS = 16;

/** What stands in the place of a large result: it says how large that is, and links to the parts. */
export function standInFor(taskId: string, { isError }: JsonObject, { bytes, parts }: LargeValue): JsonObject {
  const uriOf = (part: number): string => LARGE_RESULT_PART.replace('{taskId}', taskId).replace('{part}', String(part));
  const range = parts === 1 ? uriOf(1) : `${uriOf(1)} to ${uriOf(parts)}`;
  const text = `The result has ${bytes} bytes as JSON, too many for one message. Read the resources ${range}: their texts, one after the other, are the JSON of the result.`;
  const links = Array.from({ length: Math.min(parts, MAX_LINKS) }, (_, index) => ({
    type: 'resource_link',
    uri: uriOf(index + 1),
    name: `result-part-${index + 1}`,
    title: `Part ${index + 1} of ${parts} of the result`,
    mimeType: MIME_TYPE,
  }));
  return { content: [{ type: 'text', text }, ...links], ...(isError === true && { isError }) };
}

/**
 * The streams, with results whole that are kept apart and that a message can carry. Larger ones stay links.
 *
 * @param values absent where there are none
 */
export function withWholeResults(events: EventStore, values: LargeValues | undefined): EventStore {
  if (values === undefined) return events;
  const whole = async <T extends { readonly view: { readonly taskId: TaskId }; readonly outcome?: Outcome }>(read: T): Promise<T> => {
    const { outcome, view } = read;
    if (outcome?.kind !== 'result' || outcome.large === undefined || outcome.large.bytes > MAX_RESULT_BYTES) return read;
    const result = JSON.parse(await values.json(view.taskId, outcome.large)) as JsonObject;
    return { ...read, outcome: { kind: 'result', result } };
  };
  return wrappedStore(events, {
    async readOutcome(...args) {
      const read = await events.readOutcome(...args);
      return read && whole(read);
    },
    subscribe: (taskId, listener, known) =>
      events.subscribe(
        taskId,
        (ended) => {
          if (ended?.outcome.kind !== 'result' || ended.outcome.large === undefined) return listener(ended);
          // If it cannot be read, the waiting code reads the task, and gets the error.
          whole(ended).then(listener, () => listener());
        },
        known,
      ),
  });
}
