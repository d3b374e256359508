/** Sends webhooks of tasks to the endpoints and hosts of the settings. */
import type { AddressRange } from '@longhaul/runtime/guarded-agent';
import { packageVersion } from '@longhaul/runtime/package-version';
import { openSignedPosts, type SignedTarget } from '@longhaul/runtime/signed-posts';
import { hostOf, type WebhooksConfig } from '@longhaul/runtime/webhook-settings';
import { CALL_ENDPOINT, type WebhookDelivery, type WebhookSender } from '@longhaul/tasks';

/** A sender that holds connections. */
export interface HttpSender extends WebhookSender {
  close(): Promise<void>;
}

/**
 * Opens a sender.
 *
 * @param privateNetworks further addresses that count as private
 * @param requestMs the time for a request with its answer
 */
export function openHttpSender(config: WebhooksConfig, privateNetworks: readonly AddressRange[] = [], requestMs?: number): HttpSender {
  const userAgent = `Longhaul/${packageVersion(import.meta.url)}`;
  const posts = openSignedPosts({ userAgent, privateNetworks, ...(requestMs !== undefined && { requestMs }) });
  return {
    hostOf: (delivery) => hostOf(targetOf(config, delivery)?.url ?? ''),
    async send(delivery) {
      const target = targetOf(config, delivery);
      if (target === undefined) return { kind: 'failed', problem: 'not in LONGHAUL_WEBHOOKS of the worker' };
      return posts.post(target, { id: delivery.id, body: delivery.message.body });
    },
    close: () => posts.close(),
  };
}

function targetOf({ endpoints, calls }: WebhooksConfig, { endpoint, message }: WebhookDelivery): SignedTarget | undefined {
  if (endpoint !== CALL_ENDPOINT) return Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  const { url = '' } = message;
  const host = hostOf(url) ?? '';
  const settings = Object.hasOwn(calls, host) ? calls[host] : undefined;
  return settings && { url, ...settings };
}
