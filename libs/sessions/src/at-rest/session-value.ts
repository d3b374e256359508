/** Passes the text of a session value through the codec. Limits of a session count the kept form. */
import type { Json, PayloadCodec, Place } from '@longhaul/tasks';
import { valueText } from '../ports/session-state.js';

/** Makes the kept form of a value. @param account its key encrypts the value. @throws TaskError `NOT_SERIALIZABLE` when it is too large */
export async function keptValue(codec: PayloadCodec, value: Json, { session, name, account }: ValueName): Promise<string> {
  const json = valueText(value);
  const seal = await codec.sealFor(account);
  return seal(json, placeOf({ session, name }));
}

/** The value that was kept. @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE` */
export async function valueFrom(codec: PayloadCodec, text: string, of: Omit<ValueName, 'account'>): Promise<Json> {
  return JSON.parse(await codec.open(text, placeOf(of))) as Json;
}

/** A value of a session, and the account under which it is counted. */
interface ValueName {
  readonly session: string;
  readonly name: string;
  readonly account: string;
}

function placeOf({ session, name }: Omit<ValueName, 'account'>): Place {
  return { kind: 'session', id: session, field: name };
}
