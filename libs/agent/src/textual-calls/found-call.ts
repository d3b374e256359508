/** A call in a text. */
export interface FoundCall {
  readonly name: string;
  /** JSON, or the model's text instead; absent if it wrote nothing. */
  readonly arguments?: string;
}

/** The result of reading at a position where calls begin. */
export interface Reading {
  /** Those that could be read. */
  readonly calls: readonly FoundCall[];
  /** Where the text continues. */
  readonly end: number;
  /** Whether something there could not be read: it is cut or broken. */
  readonly isBroken?: boolean;
}

/** Nothing could be read from `end` on. */
export function broken(end: number): Reading {
  return { calls: [], end, isBroken: true };
}
