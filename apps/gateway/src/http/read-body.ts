/**
 * Reads the bodies of requests: any JSON within the limits. Large ones are parsed one for each turn of the event loop, so that other
 * requests are served between them.
 */
import type { FastifyInstance } from 'fastify';
import type { AuthenticatedRequest } from '../rpc/caller.js';
import { BodiesInWork } from './bodies-in-work.js';
import { parseJsonBody, scanJsonBody, type ScannedBody, textOfJsonBody } from './json-body.js';

/** The limits of a body's content, and of all bodies together. */
export interface BodyLimits {
  /** JSON values in one body. */
  readonly maxValues: number;
  /** Memory of all bodies together, with their values. */
  readonly inWorkBytes: number;
}

/** Larger bodies take some milliseconds to parse and to check. */
const LARGE_BYTES = 512 * 1024;

/** @param app a separate scope, with routes behind authentication */
export function readJsonBodies(app: FastifyInstance, { maxValues, inWorkBytes }: BodyLimits): void {
  const inWork = new BodiesInWork(inWorkBytes);
  const inTurn = oneEachTurn();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, ({ method, raw }, given, done) => {
    // Only the body of a POST has a meaning.
    if (method !== 'POST') return done(null, undefined);
    let scanned: ScannedBody;
    try {
      scanned = scanJsonBody(textOfJsonBody(given as Buffer), maxValues);
      const request = raw as AuthenticatedRequest;
      const bodyDone = inWork.begin(request, scanned.bytes);
      request.bodyDone = bodyDone;
      const { response } = request;
      // If the client has gone already, no further event comes.
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

/** Runs functions in order, each in another turn of the event loop. */
function oneEachTurn(): (run: () => void) => void {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    const run = waiting.shift();
    // This comes first, so that an error does not stop the others.
    if (waiting.length > 0) setImmediate(next);
    run?.();
  };
  return (run) => {
    if (waiting.push(run) === 1) setImmediate(next);
  };
}
