/** What of a token is not accepted, and what would have been: for the log, never of the token itself. */
export interface Misfit {
  readonly claim: string;
  readonly wanted: string;
}

/** A token is not good. The message goes to its sender: in ASCII, without quotes, and nothing of the token itself. */
export class TokenRejected extends Error {
  override readonly name = 'TokenRejected';
  /** For operators, who know what they have configured. */
  readonly misfit: Misfit | undefined;

  constructor(message: string, { misfit, ...options }: ErrorOptions & { readonly misfit?: Misfit } = {}) {
    super(message, options);
    this.misfit = misfit;
  }
}
