import { UserError } from '../../user-error.js';
import { EXIT } from './exit-codes.js';

/** The error of a request that the operator API refuses. */
export interface Problem {
  readonly status: number;
  readonly detail: string;
  readonly code: string;
}

/** A refusal, with the exit code that stands for it. */
export class OperatorError extends UserError {
  readonly code: string;

  constructor({ status, detail, code }: Problem) {
    super(detail, code === 'FEATURES_NOT_LOADED' ? EXIT.usage : exitCodeOf(status));
    this.code = code;
  }
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 400:
    case 422:
      return EXIT.usage;
    case 401:
    case 403:
      return EXIT.denied;
    case 404:
      return EXIT.notFound;
    case 409:
      return EXIT.ended;
    case 503:
      return EXIT.unavailable;
    default:
      return EXIT.error;
  }
}
