/**
 * Keeps values that are too large for the record, in parts: the JSON of a value is cut into texts of one size, and each goes to the blob
 * store by itself, so that no process needs more than one of them. Each part is sealed like every payload, for its task, the value, its
 * number and the number of parts: a part that was changed, moved or swapped does not open, and a value that was cut short is noticed.
 *
 * A value belongs to one task, whose id is in its path, and is written before the event that refers to it. So a process that dies in
 * between leaves a value without a reference, and never a reference without a value; `LargeValueSweep` removes the former.
 */
import { randomBytes } from 'node:crypto';
import type { LargeValue } from '../domain/large-value.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { BlobStore } from '../ports/blob-store.js';
import type { LargeValues, ValueOwner } from '../ports/large-values.js';
import { notGenuine, type PayloadCodec, type Place } from '../ports/payload-codec.js';

/** UTF-16 code units of a part: 2 MiB for most texts, and 6 MiB at most. */
const PART_LENGTH = 2 * 1024 * 1024;

/** Plain parts begin with it, so that none is taken for an encrypted value. */
const PLAIN_PART = '=';

/** The two halves of a character beyond the first plane are not separated. */
const FIRST_HALF = /[\uD800-\uDBFF]$/;

/** Settings of large values. */
export interface LargeValuesOptions {
  readonly blobs: BlobStore;
  readonly codec: PayloadCodec;
  /** The folder of this deployment in the blob store, so that no other deployment removes its values. */
  readonly folder: string;
  /** A value with more bytes as JSON is kept apart. */
  readonly fromBytes: number;
  /** The most bytes that one may have. */
  readonly maxBytes: number;
  /** UTF-16 code units of a part. @defaultValue 2 Mi */
  readonly partLength?: number;
  readonly clock?: () => number;
}

/** The large values of a deployment, in a blob store. */
export function createLargeValues(options: LargeValuesOptions): LargeValues {
  return new PartedValues(options);
}

class PartedValues implements LargeValues {
  readonly fromBytes: number;
  readonly maxBytes: number;
  readonly place: string;

  constructor(private readonly options: LargeValuesOptions) {
    ({ fromBytes: this.fromBytes, maxBytes: this.maxBytes } = options);
    this.place = options.blobs.place;
  }

  newId(epoch: number): string {
    const { clock = Date.now } = this.options;
    return `${epoch}-${clock().toString(36)}-${randomBytes(6).toString('hex')}`;
  }

  keep(owner: ValueOwner, id: string, json: string): Promise<LargeValue> {
    const { partLength = PART_LENGTH } = this.options;
    const value = { id, bytes: Buffer.byteLength(json), parts: countOf(partsOf(json, partLength)) };
    return this.keepParts(owner, value, partsOf(json, partLength));
  }

  copy(from: TaskId, value: LargeValue, to: ValueOwner, newId: string): Promise<LargeValue> {
    return this.keepParts(to, { ...value, id: newId }, this.parts(from, value));
  }

  async *parts(taskId: TaskId, value: LargeValue): AsyncGenerator<string> {
    for (let number = 1; number <= value.parts; number++) yield await this.part(taskId, value, number);
  }

  async part(taskId: TaskId, value: LargeValue, number: number): Promise<string> {
    const { blobs, codec } = this.options;
    const kept = await blobs.get(this.pathOf(taskId, value.id, number));
    if (kept === undefined) throw missing(taskId, value, number, blobs.place);
    const place = placeOf(taskId, value, number);
    const text = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString('utf8');
    const isPlain = text.startsWith(PLAIN_PART);
    if (isPlain && !codec.takesPlain) throw notGenuine(place);
    const opened = isPlain ? text : await codec.open(text, place);
    // Otherwise it is a text that something else has put there.
    if (!opened.startsWith(PLAIN_PART)) throw notGenuine(place);
    return opened.slice(PLAIN_PART.length);
  }

  async json(taskId: TaskId, value: LargeValue): Promise<string> {
    const texts: string[] = [];
    for await (const text of this.parts(taskId, value)) texts.push(text);
    const json = texts.join('');
    if (Buffer.byteLength(json) !== value.bytes) throw notGenuine(placeOf(taskId, value, value.parts));
    return json;
  }

  tasks(): AsyncIterable<string> {
    return this.options.blobs.names(this.options.folder);
  }

  ids(taskId: string): AsyncIterable<string> {
    return this.options.blobs.names(this.pathOf(taskId));
  }

  remove(taskId: string, id: string): Promise<void> {
    return this.options.blobs.remove(this.pathOf(taskId, id));
  }

  private async keepParts(
    { taskId, owner }: ValueOwner,
    value: LargeValue,
    texts: AsyncIterable<string> | Iterable<string>,
  ): Promise<LargeValue> {
    const { blobs, codec } = this.options;
    const seal = await codec.sealFor(owner);
    let number = 0;
    for await (const text of texts) {
      number += 1;
      await blobs.put(this.pathOf(taskId, value.id, number), Buffer.from(seal(PLAIN_PART + text, placeOf(taskId, value, number))));
    }
    return value;
  }

  private pathOf(...names: readonly (string | number)[]): string {
    return [this.options.folder, ...names].join('/');
  }
}

function* partsOf(json: string, length: number): Generator<string> {
  for (let from = 0; from < json.length;) {
    const end = Math.min(from + length, json.length);
    const to = FIRST_HALF.test(json[end - 1] ?? '') ? end + 1 : end;
    yield json.slice(from, to);
    from = to;
  }
}

function countOf(parts: Iterable<string>): number {
  let count = 0;
  for (const _part of parts) count += 1;
  return count;
}

function placeOf(taskId: TaskId, { id, bytes, parts }: LargeValue, number: number): Place {
  return { kind: 'value', id: taskId, field: `${id} ${number} of ${parts}, ${bytes} bytes` };
}

function missing(taskId: TaskId, { id, parts }: LargeValue, number: number, place: string): TaskError {
  return new TaskError(
    'VALUE_MISSING',
    `Part ${number} of ${parts} of the large value ${id} of task ${taskId} is gone: it is not in ${place}.`,
  );
}
