/**
 * Calls the operator API for the tools: with the caller's own credentials, so that it checks and records these requests like all others.
 */
import { isJsonObject, type JsonObject } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { ProblemSchema } from '../http/problems.js';

/** The requests of tools to the API. Paths are below `/api/v1`. */
export interface OperatorApi {
  /** @throws Error with the API's message and its code */
  get(path: string, query?: Readonly<Record<string, unknown>>): Promise<JsonObject>;
  /** @throws Error with the API's message and its code */
  post(path: string, body: object): Promise<JsonObject>;
  /** @throws Error with the API's message and its code */
  put(path: string, body: object): Promise<JsonObject>;
}

/** The headers that identify the caller, and the requested host. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'host']);

/** @param request of the caller: its headers identify the caller, and when it ends, no more requests are made */
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

/** A list becomes its entries, separated by commas. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
