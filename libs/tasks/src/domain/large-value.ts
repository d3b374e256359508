/** A value that is too large for the record: it is kept apart, and the record has this in its place. In words that are stored for ever. */
export interface LargeValue {
  /** The id among the large values of its task. It begins with the epoch of the pass that has written it; 0 for any other writer. */
  readonly id: string;
  /** JSON of the value, bytes. */
  readonly bytes: number;
  /** How many parts the text of its JSON is kept in. */
  readonly parts: number;
}

/** The large value that an event refers to, if it refers to one. */
export function largeValueOf({ data }: { readonly data: object }): LargeValue | undefined {
  if ('large' in data) return data.large as LargeValue | undefined;
  if (!('outcome' in data)) return undefined;
  const { outcome } = data as { readonly outcome: { readonly large?: LargeValue } };
  return outcome.large;
}

/** The bytes of all large values that the events refer to. */
export function largeBytesOf(events: readonly { readonly data: object }[]): number {
  return events.reduce((bytes, event) => bytes + (largeValueOf(event)?.bytes ?? 0), 0);
}
