/** The operator API as the tools call it: by requests of the caller's own, so that it checks and records them like all others. */
import { isJsonObject, type JsonObject } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { ProblemSchema } from '../http/problems.js';

/** What tools ask the API for. Paths are below `/api/v1`. */
export interface OperatorApi {
  /** @throws Error with what the API says is wrong, and its code */
  get(path: string, query?: Readonly<Record<string, unknown>>): Promise<JsonObject>;
  /** @throws Error with what the API says is wrong, and its code */
  post(path: string, body: object): Promise<JsonObject>;
  /** @throws Error with what the API says is wrong, and its code */
  put(path: string, body: object): Promise<JsonObject>;
}

/** What says who makes a request, and which name it was made to. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host']);

/** @param request the caller's own one: its headers say who asks, and when it ends, nothing more is asked */
export function createOperatorApi(app: FastifyInstance, { headers, signal }: Pick<Request, 'headers' | 'signal'>): OperatorApi {
  const shown = Object.fromEntries([...headers].filter(([name]) => CREDENTIALS.has(name)));
  const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object): Promise<JsonObject> => {
    const url = `/api/v1${path}`;
    const { statusCode, body } = await app.inject({ method, url, signal, headers: shown, ...(payload !== undefined && { payload }) });
    const answer: unknown = body === '' ? {} : JSON.parse(body);
    if (statusCode >= 400) {
      const { detail, code } = answer as z.infer<typeof ProblemSchema>;
      throw new Error(`${detail} (${code})`);
    }
    return isJsonObject(answer) ? answer : {};
  };
  return {
    get: (path, query = {}) => ask('GET', `${path}?${queryOf(query)}`),
    post: (path, body) => ask('POST', path, body),
    put: (path, body) => ask('PUT', path, body),
  };
}

/** A list is what its entries are, separated by commas. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
