/**
 * Makes the keys by which operators find tasks: digests of searchable arguments, in the place of their values. One data key makes those of
 * all owners, because whoever searches by a value does not know the owner. So with encryption the index shows which tasks have the same
 * value, and not which value that is.
 */
import type { TaskCreatedData } from '../domain/events.js';
import { SEARCH_OWNER } from '../domain/owner-names.js';
import { type ArgumentValue, searchableValues } from '../domain/searchable.js';
import type { TaskFilter } from '../ports/operator-index.js';
import type { PayloadCodec } from '../ports/payload-codec.js';

/** The first characters of a digest, 132 bits: nobody finds two values with the same ones. */
const KEY_LENGTH = 22;

/** Which tasks an operator looks for: as `TaskFilter`, with the values of searchable arguments. */
export interface OperatorFilter extends Omit<TaskFilter, 'searchKeys'> {
  /** The task has all of these values in arguments that its tool has declared as searchable. */
  readonly where?: readonly ArgumentValue[];
}

/** The keys of a new task; none if its tool declares nothing. @throws TaskError as `PayloadCodec.open` */
export async function searchKeysOf(
  codec: PayloadCodec,
  task: Pick<TaskCreatedData, 'arguments' | 'searchable'>,
): Promise<readonly string[]> {
  const values = searchableValues(task.arguments, task.searchable ?? []);
  return values.length === 0 ? [] : (await keysOf(codec, values)).flatMap(([key]) => key ?? []);
}

/** The filter in the words of the index. @throws TaskError as `PayloadCodec.open` */
export async function indexFilter(codec: PayloadCodec, { where = [], ...filter }: OperatorFilter): Promise<TaskFilter> {
  return where.length === 0 ? filter : { ...filter, searchKeys: await keysOf(codec, where) };
}

/** The keys that each value may have, the one to write first. */
async function keysOf(codec: PayloadCodec, values: readonly ArgumentValue[]): Promise<readonly (readonly string[])[]> {
  const digests = await codec.digestsFor(SEARCH_OWNER);
  return values.map(({ path, value }) => digests.map((digest) => digest(JSON.stringify(['argument', path, value])).slice(0, KEY_LENGTH)));
}
