import { settings, text } from '@longhaul/runtime/settings';
import { UserError } from '../../user-error.js';
import { EXIT } from './exit-codes.js';
import { errorOf, type RawAnswer, type Transport } from './operator-api.js';

/** The variables of commands that use the operator API. */
export const apiVariables = settings('operators', {
  LONGHAUL_OPS_URL: text(/^https?:\/\//, 'an http: or https: URL')
    .optional()
    .meta({
      description: 'The operator API that [commands](operating.md#from-another-machine) use. Without it they use your data folder or Redis',
      readBy: 'command line',
    }),
  LONGHAUL_OPS_TOKEN: text(/./, 'a token of `LONGHAUL_OPS_TOKENS`').optional().meta({
    description: 'Your token for the operator API of `LONGHAUL_OPS_URL`',
    readBy: 'command line',
  }),
});

/** Sends requests over HTTP. @param token absent when it is unknown: then the API says so */
export function createHttpTransport(url: string, token: string | undefined): Transport {
  const base = url.replace(/\/+$/, '');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask = async (path: string, options: RequestInit): Promise<Response> => {
    try {
      return await fetch(`${base}/api/v1${path}`, options);
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new UserError(`the operator API at ${base} (LONGHAUL_OPS_URL) cannot be reached: ${reason}`, EXIT.unavailable);
    }
  };
  return {
    async send(method, path, body): Promise<RawAnswer> {
      const sent = body === undefined ? {} : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await ask(path, { method, headers, ...sent });
      return { status: response.status, text: await response.text() };
    },
    async stream(path, signal) {
      const response = await ask(path, { headers, signal });
      if (!response.ok || response.body === null) throw errorOf({ status: response.status, text: await response.text() });
      return response.body;
    },
    close: async () => undefined,
  };
}
