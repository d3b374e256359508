import { secretBytes } from '@longhaul/runtime/webhook-settings';
import { createHmac } from 'node:crypto';

/** What a receiver verifies: the id of the webhook, the second in which it was sent, and the body. */
export interface SignedContent {
  readonly id: string;
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks 1.0, with a signature of each secret. */
export function signedHeaders({ id, timestamp, body }: SignedContent, secrets: readonly string[]): Readonly<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = secretBytes(secret) ?? Buffer.alloc(0);
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}
