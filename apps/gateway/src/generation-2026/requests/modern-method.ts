import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { MethodName } from '../../rpc/methods.js';
import type { CallResponse } from './call-response.js';
import type { RequestCall } from './request-call.js';

/** A method of this revision: most are answered, one opens a stream. */
export type ModernMethod = { readonly name: MethodName } & (
  | {
      readonly kind: 'answers';
      /** Whether it has no effects, so that it may begin before the request's limit is checked. @defaultValue false */
      readonly isRead?: boolean;
      answer(request: RequestCall): Promise<Result> | Result;
    }
  | { readonly kind: 'streams'; open(request: RequestCall, response: CallResponse): Promise<void> }
);
