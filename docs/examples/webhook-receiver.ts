/** Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=8000 npx node docs/examples/webhook-receiver.ts */
import { createServer, type IncomingMessage } from 'node:http';
import { env, stdout } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(env['WEBHOOK_SECRET'] ?? '');
const seen = new Set<string>();

async function receive(request: IncomingMessage): Promise<void> {
  const headers = request.headers as Record<string, string>;
  const { type, data } = webhook.verify(await buffer(request), headers) as { type: string; data: { taskId: string } };
  const id = headers['webhook-id'] ?? '';
  if (seen.has(id)) return; // A webhook may come twice.
  seen.add(id);
  stdout.write(`${type} ${data.taskId}\n`);
}

const server = createServer((request, response) => {
  const answer = (status: number) => () => response.writeHead(status).end();
  receive(request).then(answer(204), answer(400));
});
server.listen(Number(env['PORT'] ?? 8000), '127.0.0.1');
