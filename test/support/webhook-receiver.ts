/** Receives webhooks on this machine, and verifies them with the library of Standard Webhooks. */
import type { WebhookEndpoint } from '@longhaul/runtime/webhook-settings';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A webhook as it was verified. */
export interface Received {
  readonly id: string;
  /** The path of the URL that it came to. */
  readonly path: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly taskId: string };
}

/** A receiver that listens. */
export class WebhookReceiver {
  /** All verified webhooks, in the order in which they came. */
  readonly received: Received[] = [];
  /** HTTP statuses of the next answers; all others are 204. `undefined` stands for no answer. */
  readonly answers: (number | undefined)[] = [];
  /** Requests that could not be verified. */
  readonly problems: unknown[] = [];
  readonly secret = `whsec_${randomBytes(32).toString('base64')}`;

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      void buffer(request).then((body) => {
        try {
          const verified = new Webhook(receiver.secret).verify(body, request.headers as Record<string, string>);
          const id = String(request.headers['webhook-id']);
          receiver.received.push({ id, path: request.url ?? '', ...(verified as Omit<Received, 'id' | 'path'>) });
        } catch (error) {
          receiver.problems.push(error);
        }
        const status = receiver.answers.length > 0 ? receiver.answers.shift() : 204;
        if (status !== undefined) response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** With the port. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** An endpoint of the settings that sends here. */
  endpoint(more: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
    const events = ['task.input_required', 'task.completed', 'task.failed', 'task.cancelled'] as const;
    return { url: `http://${this.host}/hook`, secrets: [this.secret], events: [...events], include: [], allowPrivate: true, ...more };
  }

  /** The webhooks of a task that came to a path. */
  of(taskId: string, path = '/hook'): readonly Received[] {
    return this.received.filter(({ data, path: cameTo }) => data.taskId === taskId && cameTo === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
