/**
 * Takes the bodies of requests in: any JSON within the limits. Large ones are parsed one for each turn of the event loop, so that
 * other requests are served between them.
 */
import type { FastifyInstance } from 'fastify';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import { BodiesInWork } from './bodies-in-work.js';
import { parseJsonBody, scanJsonBody, type ScannedBody } from './json-body.js';

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
  const inTurn = oneEachTurn();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, ({ method, raw }, text, done) => {
    // Only a POST has a body that means something.
    if (method !== 'POST') return done(null, undefined);
    let scanned: ScannedBody;
    try {
      scanned = scanJsonBody(text as string, maxValues);
      const request = raw as AuthenticatedRequest;
      const bodyDone = inWork.begin(request, scanned.bytes);
      request.bodyDone = bodyDone;
      const { response } = request;
      // Of a client that has left already, nothing more is heard.
      if (response === undefined || response.destroyed) bodyDone();
      else response.on('close', bodyDone);
    } catch (error) {
      return done(error as Error);
    }
    const read = (): void => {
      let body;
      try {
        body = parseJsonBody(scanned);
      } catch (error) {
        return done(error as Error);
      }
      done(null, body);
    };
    if (scanned.bytes < LARGE_BYTES) read();
    else inTurn(read);
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
