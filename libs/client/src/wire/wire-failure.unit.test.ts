import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { ClientError, ConnectionLostError, ProtocolViolationError, RpcError, SessionLostError } from '../errors.js';
import { saysSessionIsLost, wireFailure } from './wire-failure.js';

const request = { id: '7', method: 'tools/call', hasSession: true };
const http = (status: number, body?: unknown): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no', { status, ...(body !== undefined && { text: JSON.stringify(body) }) });
const answer = (id: unknown, code: number, message = 'no') => ({ jsonrpc: '2.0', id, error: { code, message } });

describe('what a transport throws', () => {
  it.each([408, 429, 502, 503, 504])('HTTP %i is a lost connection, with any body', (status) => {
    expect(wireFailure(http(status, answer('7', -32_603)), request)).toMatchObject({ name: 'ConnectionLostError', effect: 'unknown' });
  });

  it.each<[string, unknown]>([
    ['HTTP 404', http(404)],
    ['HTTP 404 with an error of nobody’s', http(404, answer(null, -32_001, 'Session not found'))],
    ['HTTP 404 with an error of the request', http(404, answer('7', -32_001, 'Session not found'))],
    ['HTTP 400 that names the session', http(400, answer(null, -32_000, 'Bad Request: No valid session ID provided'))],
  ])('%s is a lost session, of which nothing was done', (_name, error) => {
    expect(wireFailure(error, request)).toBeInstanceOf(SessionLostError);
    expect(wireFailure(error, request)).toMatchObject({ effect: 'none' });
  });

  it('HTTP 404 for a method that the server does not know is its error', () => {
    expect(wireFailure(http(404, answer('7', -32_601)), request)).toMatchObject({ name: 'RpcError', code: -32_601 });
  });

  it('is an error of JSON-RPC if its body is one for this request', () => {
    const error = wireFailure(http(400, { ...answer('7', -32_020), error: { code: -32_020, message: 'no', data: { a: 1 } } }), request);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -32_020, message: 'no', data: { a: 1 } });
  });

  it('is an error with its status and the message of the body otherwise', () => {
    const error = wireFailure(http(401, answer(null, -32_001, 'Who are you?')), { ...request, hasSession: false });
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ message: 'The server answered tools/call with HTTP 401: Who are you?.' });
    expect(wireFailure(http(404), { ...request, hasSession: false })).toMatchObject({
      message: 'The server answered tools/call with HTTP 404.',
    });
  });

  it.each<[string, Error, string]>([
    ['a refused connection', new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) }), 'none'],
    [
      'refused connections to all addresses',
      new TypeError('fetch failed', { cause: new AggregateError([Object.assign(new Error(''), { code: 'ECONNREFUSED' })]) }),
      'none',
    ],
    ['a reset connection', new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code: 'ECONNRESET' }) }), 'unknown'],
    ['a body that breaks off', new TypeError('terminated', { cause: new Error('other side closed') }), 'unknown'],
    ['Chrome', new TypeError('Failed to fetch'), 'unknown'],
    ['Firefox', new TypeError('NetworkError when attempting to fetch resource.'), 'unknown'],
    ['Safari', new TypeError('Load failed'), 'unknown'],
  ])('%s is a lost connection', (_name, error, effect) => {
    expect(wireFailure(error, request)).toBeInstanceOf(ConnectionLostError);
    expect(wireFailure(error, request)).toMatchObject({ effect, cause: error });
  });

  it('is a violation of the protocol if it is no JSON-RPC', () => {
    expect(wireFailure(new SyntaxError('Unexpected token'), request)).toBeInstanceOf(ProtocolViolationError);
  });

  it.each<[string, unknown]>([
    ['an error of this library', new ClientError('x')],
    ['an error of the SDK', new SdkError(SdkErrorCode.EraNegotiationFailed, 'x')],
    ['a mistake of the program', new TypeError('Cannot read properties of undefined')],
    ['something that is no error', 'x'],
  ])('goes out as it is: %s', (_name, error) => {
    expect(wireFailure(error, request)).toBe(error);
  });
});

describe('an error that came with HTTP 200', () => {
  it.each(['Session not found', 'the session has expired', 'No valid session', 'bad\nsession: unknown'])(
    'says that the session is lost: %j',
    (text) => {
      expect(saysSessionIsLost(-32_000, text)).toBe(true);
      expect(saysSessionIsLost(-32_602, text)).toBe(false);
    },
  );

  it('says nothing of a session in a text of megabytes, which is not looked through', () => {
    expect(saysSessionIsLost(-32_000, 'session '.repeat(1_000_000))).toBe(false);
  });
});
