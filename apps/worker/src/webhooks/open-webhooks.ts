/** Puts together the worker's part of sending webhooks: only a worker with `LONGHAUL_WEBHOOKS` sends any. */
import type { Store } from '@longhaul/sessions';
import type { Telemetry } from '@longhaul/runtime/telemetry';
import { WebhookDispatcher, type WebhookReport } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { WorkerConfig } from '../config.js';

/** Dependencies of webhooks. */
export interface WebhooksDeps {
  readonly store: Pick<Store, 'webhooks' | 'clock'>;
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly telemetry: Telemetry | undefined;
}

/** Webhooks that are sent as long as the worker runs. */
export interface SentWebhooks {
  /** Sends what is due. */
  run(): Promise<void>;
  /** Takes no more, and resolves when what is being sent was sent. */
  stop(): Promise<void>;
}

/** @returns nothing when no webhooks are configured */
export async function openWebhooks({ store, config, logger, telemetry }: WebhooksDeps): Promise<SentWebhooks | undefined> {
  if (config.webhooks === undefined) return undefined;
  // The module is loaded only here: a worker without webhooks starts sooner.
  const { openHttpSender } = await import('./http-sender.js');
  const sender = openHttpSender(config.webhooks, config.privateNetworks);
  const dispatcher = new WebhookDispatcher({
    outbox: store.webhooks,
    sender,
    clock: store.clock,
    random: Math.random,
    onTry: reportTry(logger, telemetry),
    onError: (error) => logger.error({ err: error }, 'a webhook could not be looked at, and will be tried again'),
  });
  telemetry?.metrics?.observe(['longhaul.webhooks.pending', 'longhaul.webhooks.failing', 'longhaul.webhooks.given_up'], async () => {
    const { pending, failing, 'given-up': givenUp } = await store.webhooks.count();
    return { 'longhaul.webhooks.pending': pending, 'longhaul.webhooks.failing': failing, 'longhaul.webhooks.given_up': givenUp };
  });
  return {
    run: () => dispatcher.run(),
    async stop() {
      await dispatcher.stop();
      await sender.close();
    },
  };
}

function reportTry(logger: Logger, telemetry: Telemetry | undefined): (report: WebhookReport) => void {
  return ({ taskId, endpoint, version, record: { event, tries, lastTry, ended } }) => {
    const outcome = ended ?? 'failed';
    telemetry?.metrics?.add('longhaul.webhooks.tries', 1, { 'longhaul.webhook.outcome': outcome });
    const { status, problem } = lastTry ?? {};
    const fields = { taskId, endpoint, version, event, tries, status, problem };
    if (ended === 'given-up') logger.warn(fields, 'a webhook was given up');
    else logger.debug(fields, `webhook ${outcome}`);
  };
}
