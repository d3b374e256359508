/**
 * Takes the bodies of requests in: any JSON within the limits. Large ones are parsed one for each turn of the event loop, so that
 * other requests are served between them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import { BodiesInWork } from './bodies-in-work.js';
import { parseJsonBody, scanJsonBody } from './json-body.js';

/** What bodies may have in them, and take together. */
export interface BodyLimits {
  /** Values of the JSON of one body. */
  readonly maxValues: number;
  /** Memory of all bodies together, with their values. */
  readonly inWorkBytes: number;
}

/** What weighs more takes some milliseconds to parse and to check. */
const LARGE_BYTES = 512 * 1024;

/** @param app a scope of its own, whose routes are behind authentication */
export function readJsonBodies(app: FastifyInstance, { maxValues, inWorkBytes }: BodyLimits): void {
  const inWork = new BodiesInWork(inWorkBytes);
  const responses = new WeakMap<IncomingMessage, ServerResponse>();
  const inTurn = oneEachTurn();
  app.addHook('preParsing', (request, reply, payload, done) => {
    responses.set(request.raw, reply.raw);
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, ({ method, raw }, text, done) => {
    // Only a POST has a body that means something.
    if (method !== 'POST') return done(null, undefined);
    const settled = (read: () => unknown): void => {
      let body;
      try {
        body = read();
      } catch (error) {
        return done(error as Error);
      }
      done(null, body);
    };
    let scanned;
    try {
      scanned = scanJsonBody(text as string, maxValues);
      const bodyDone = inWork.begin(raw as AuthenticatedRequest, scanned.bytes);
      (raw as AuthenticatedRequest).bodyDone = bodyDone;
      const response = responses.get(raw);
      // Of a client that has left already, nothing more is heard.
      if (response === undefined || response.destroyed) bodyDone();
      else response.once('close', bodyDone);
    } catch (error) {
      return done(error as Error);
    }
    const body = scanned;
    if (body.bytes < LARGE_BYTES) settled(() => parseJsonBody(body));
    else inTurn(() => settled(() => parseJsonBody(body)));
  });
}

/** Runs what it is given in order, and nothing of it in the same turn of the event loop. */
function oneEachTurn(): (run: () => void) => void {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    const run = waiting.shift();
    // First, so that what throws keeps nothing else waiting.
    if (waiting.length > 0) setImmediate(next);
    run?.();
  };
  return (run) => {
    if (waiting.push(run) === 1) setImmediate(next);
  };
}
