/** Sends requests to the API that served the page; the cookie of the login is sent with them. */
import { forgetSession } from './session.js';

/** An error of the API, in its words. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly errors: readonly { readonly field: string; readonly message: string }[] = [],
  ) {
    super(message);
  }
}

/** Values of a query; absent and empty values are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

const API = 'api/v1/';

/** The address of a route, relative to the page's address. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `${API}${path}${search === '' ? '' : `?${search}`}`;
}

/** @throws Problem */
export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return answerOf<T>(addressOf(path, query), signal === undefined ? {} : { signal });
}

/** @throws Problem */
export async function post<T>(path: string, body: object): Promise<T> {
  return answerOf<T>(`${API}${path}`, jsonRequest(body));
}

/** @throws Problem */
export async function remove<T>(path: string, body: object): Promise<T> {
  return answerOf<T>(`${API}${path}`, { ...jsonRequest(body), method: 'DELETE' });
}

/** Logs the holder of the token in. @throws Problem 401 */
export async function logIn<T>(token: string): Promise<T> {
  return answerOf<T>('login', jsonRequest({ token }));
}

export async function logOut(): Promise<void> {
  await answerOf('logout', { method: 'POST' });
  forgetSession();
}

function jsonRequest(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function answerOf<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, credentials: 'same-origin', cache: 'no-store' }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new Problem(0, 'UNREACHABLE', 'The operator API does not answer.');
  });
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  if (response.status === 401 && url !== 'login') forgetSession();
  throw problemFrom(response, text);
}

function problemFrom({ status, headers }: Response, text: string): Problem {
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true)
    return new Problem(status, 'NO_PROBLEM', `The answer is ${status}, and not from the operator API.`);
  const { code, detail, errors } = JSON.parse(text) as { code: string; detail: string; errors?: Problem['errors'] };
  return new Problem(status, code, detail, errors);
}

/** Why a stream is refused permanently, because the stream itself does not say it; nothing if it may open again. */
export async function problemAt(url: string): Promise<Problem | undefined> {
  const stop = new AbortController();
  const response = await fetch(url, { credentials: 'same-origin', cache: 'no-store', signal: stop.signal }).catch(() => undefined);
  try {
    if (response === undefined || response.ok || response.status >= 500 || response.status === 429) return undefined;
    if (response.status === 401) forgetSession();
    return problemFrom(response, await response.text());
  } finally {
    stop.abort();
  }
}

/** The error in one line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
