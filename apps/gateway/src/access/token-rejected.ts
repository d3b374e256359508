/** The refused and the expected values of a token, for the log; never parts of the token itself. */
export interface Misfit {
  readonly claim: string;
  readonly wanted: string;
}

/** A token is invalid. Its sender receives the message: in ASCII, without quotes, and without any part of the token. */
export class TokenRejected extends Error {
  override readonly name = 'TokenRejected';
  /** For operators, who know the configuration. */
  readonly misfit: Misfit | undefined;

  constructor(message: string, { misfit, ...options }: ErrorOptions & { readonly misfit?: Misfit } = {}) {
    super(message, options);
    this.misfit = misfit;
  }
}
