import { fetch, readBody } from '@longhaul/runtime/guarded-agent';
import { isJsonObject, type JsonObject } from '@longhaul/tasks';

/** The time limit for an authorization server. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** A request to an authorization server. */
export interface JsonRequest {
  readonly method?: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Requests an object from an authorization server. The request goes only to the given URL: redirects are not followed.
 *
 * @throws Error with one line that names the URL, for any answer but an object within 5 s
 */
export async function fetchJson(url: string, request: JsonRequest = {}): Promise<JsonObject> {
  try {
    const response = await fetch(url, {
      ...request,
      headers: { accept: 'application/json, application/jwk-set+json', ...request.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { bytes, isCut } = await readBody(response, { maxBytes: MAX_BYTES });
    if (response.status !== 200) throw new Error(`it answers ${response.status}`);
    if (isCut) throw new Error(`it answers more than ${MAX_BYTES} bytes`);
    const value = JSON.parse(Buffer.from(bytes).toString()) as unknown;
    if (!isJsonObject(value)) throw new Error('it answers no object');
    return value;
  } catch (error) {
    throw new Error(`${url} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
