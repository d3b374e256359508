import type { TestService } from './gateway.js';

/** Sends the last part of a request only when the test says so. */
export interface HalfSent {
  finish(): Promise<Response>;
}

/** Begins to send a POST. */
export function halfSent(url: string, { headers, body }: { readonly headers: Record<string, string>; readonly body: string }): HalfSent {
  const text = new TextEncoder().encode(body);
  let finish = (): void => undefined;
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(text.slice(0, 10));
      finish = () => {
        controller.enqueue(text.slice(10));
        controller.close();
      };
    },
  });
  const response = fetch(url, { method: 'POST', headers, body: stream, duplex: 'half' });
  return {
    finish: () => {
      finish();
      return response;
    },
  };
}

/** How many connections the gateway has. */
export function connections({ app }: Pick<TestService, 'app'>): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
