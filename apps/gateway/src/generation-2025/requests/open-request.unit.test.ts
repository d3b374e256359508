import { pino } from 'pino';
import { expect, it } from 'vitest';
import { OpenRequest } from './open-request.js';

it.each(['cancel', 'close', 'fail'] as const)('sends nothing more that its method says while it ends by %s', (end) => {
  const pushed: object[] = [];
  const request = new OpenRequest(1, {
    holder: { streamId: 's', epoch: 1, gatewayId: 'g' },
    bind: () => undefined,
    takesMessages: true,
    hasSent: () => false,
    push: (message) => void pushed.push(message),
    answer: () => undefined,
    withdraw: () => undefined,
    sendElsewhere: () => undefined,
  });
  void request.run(
    ({ signal, push }) => new Promise(() => signal.addEventListener('abort', () => push({ method: 'notifications/message', params: {} }))),
    pino({ level: 'silent' }),
  );
  request[end]({ code: -32603, message: 'over', httpStatus: 503, at: 0 });
  expect(pushed).toEqual([]);
});
