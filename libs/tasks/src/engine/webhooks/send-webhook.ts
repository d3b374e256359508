import type { WebhookMessage } from '../../domain/projections/webhooks.js';

/** One try to deliver a webhook. */
export interface WebhookDelivery {
  readonly endpoint: string;
  /** The same for each try, so that a receiver can know a webhook that it has seen. */
  readonly id: string;
  readonly message: WebhookMessage;
}

/** How a try ended. Neither of the texts names the URL or an address. */
export type SendOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** @param retryAfterMs what the answer asks for */
  | { readonly kind: 'failed'; readonly status?: number; readonly problem: string; readonly retryAfterMs?: number }
  /** The receiver does not want it: it is not tried again. */
  | { readonly kind: 'refused'; readonly status: number; readonly problem: string };

/** Sends webhooks to their endpoints. */
export interface WebhookSender {
  /** The host that gets it, with its port; recipients of one host share its slots. Nothing if it is not known where to send. */
  hostOf(delivery: WebhookDelivery): string | undefined;
  /** Sends once, within a time limit. It does not reject. */
  send(delivery: WebhookDelivery): Promise<SendOutcome>;
}
