import type { IncomingMessage } from 'node:http';
import { createHostCheck as createFindHostProblem, type HostCheckOptions, type HostProblem } from '@longhaul/runtime/host-check';
import { cutText } from '@longhaul/tasks';
import { Refusal, RpcCode } from '../rpc/errors.js';

export type { HostCheckOptions };

const MAX_SHOWN_BYTES = 200;

/** Checks the headers of a request. @throws Refusal 403, or 400 for two hosts */
export type HostCheck = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => void;

/** Refuses requests for other host names, or from pages of other origins. */
export function createHostCheck(options: HostCheckOptions): HostCheck {
  const find = createFindHostProblem(options);
  return (request) => {
    const problem = find(request);
    if (problem !== undefined) throw hostRefusal(problem);
  };
}

function hostRefusal({ kind, value }: HostProblem): Refusal {
  switch (kind) {
    case 'two hosts':
      return new Refusal(400, RpcCode.Transport, 'The header Host came more than once.');
    case 'host':
      return refusal(`Host ${shown(value)} is not served here. LONGHAUL_ALLOWED_HOSTS names the ones that are.`);
    case 'origin':
      return refusal(`Origin ${shown(value)} is not allowed. LONGHAUL_ALLOWED_ORIGINS names the ones that are.`);
  }
}

/** The value is logged and answered, and may be as long as all headers. */
function shown(value: string): string {
  return JSON.stringify(cutText(value, MAX_SHOWN_BYTES));
}

function refusal(message: string): Refusal {
  return new Refusal(403, RpcCode.Transport, message);
}
