/** Gives operators the result of a task as the text of its JSON, whole or part by part. */
import type { TaskView } from '../domain/projections/task-view.js';
import type { Outcome } from '../domain/state.js';
import { type LargeValues, requirePlace } from '../ports/large-values.js';

/** The JSON of a result. */
export interface ResultText {
  /** Of all texts together. */
  readonly bytes: number;
  /** One after the other, they are the JSON. It rejects as `LargeValues.part` when a part cannot be read. */
  readonly texts: AsyncIterable<string>;
}

/**
 * The result of a task. No more than one part of a large value is in memory, besides what the reader keeps.
 *
 * @returns nothing if the task has no result: it has not ended, or ended otherwise
 * @throws TaskError as `LargeValues.part`, for the first part
 */
export async function resultText(
  { view, outcome }: { readonly view: TaskView; readonly outcome?: Outcome },
  values: LargeValues | undefined,
): Promise<ResultText | undefined> {
  if (outcome?.kind !== 'result') return undefined;
  const { result, large } = outcome;
  if (large === undefined) {
    const text = JSON.stringify(result);
    return { bytes: Buffer.byteLength(text), texts: each(text) };
  }
  const place = requirePlace(values);
  const [first, ...more] = Array.from({ length: large.parts }, (_, index) => () => place.part(view.taskId, large, index + 1));
  return { bytes: large.bytes, texts: each((await first?.()) ?? '', more) };
}

async function* each(first: string, more: readonly (() => Promise<string>)[] = []): AsyncGenerator<string> {
  yield first;
  for (const next of more) yield await next();
}
