import type { Session } from '../sessions/session.js';
import type { Endpoint } from './endpoint.js';
import { type Answerer, ExchangeTransport, runExchange } from './exchange.js';
import type { Message, RequestMessage } from './messages.js';
import type { PostResponse } from './post-response.js';

/** Takes a notification or a response, to which there is no answer. */
export async function receive({ exchanges, receiveAnswer }: Endpoint, session: Session, message: Message): Promise<void> {
  if (message.kind === 'response') await receiveAnswer(message.response, { owner: session.owner });
  else if (message.kind === 'notification' && message.method === 'notifications/cancelled')
    exchanges.cancel(session.id, message.params?.['requestId']);
}

/** Has a request answered on the response. One that waits can be cancelled, and notices when its client hangs up. */
export function runInSession(
  endpoint: Endpoint,
  { id }: Session,
  message: RequestMessage,
  answerer: Answerer,
  response: PostResponse,
): Promise<void> {
  const { methods, exchanges, patienceMs, logger } = endpoint;
  const exchange = new ExchangeTransport(message.id, response);
  if (methods.get(message.method)?.kind === 'waits') {
    exchanges.add(id, exchange);
    response.onClose(() => {
      exchanges.remove(id, exchange);
      void exchange.close();
    });
    response.streamAfter(patienceMs);
  }
  return runExchange(exchange, message.method, answerer, logger);
}
