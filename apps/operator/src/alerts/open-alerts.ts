import { randomUUID } from 'node:crypto';
import type { AddressRange } from '@longhaul/runtime/guarded-agent';
import { packageVersion } from '@longhaul/runtime/package-version';
import type { SignedPosts } from '@longhaul/runtime/signed-posts';
import type { Store } from '@longhaul/sessions';
import type { OperatorService } from '@longhaul/tasks';
import type { Logger } from 'pino';
import type { AlertSettings } from './alert-settings.js';
import { AlertWatch } from './alert-watch.js';

/** Dependencies of the alerts. */
export interface AlertsDeps {
  readonly store: Store;
  readonly tasks: OperatorService;
  /** Absent: only ages are noted. */
  readonly settings: AlertSettings | undefined;
  /** More addresses that alerts do not go to. */
  readonly privateNetworks: readonly AddressRange[];
  readonly logger: Logger;
}

/** What a process does for alerts as long as it serves its deployment. */
export interface Alerts {
  start(): void;
  stop(): Promise<void>;
}

/** Opens the watch of this process, which does not look yet. */
export function openAlerts({ store, tasks, settings, privateNetworks, logger }: AlertsDeps): Alerts {
  let posts: Promise<SignedPosts> | undefined;
  // Loaded with the first alert: few processes ever send one.
  const openPosts = async (): Promise<SignedPosts> => {
    const { openSignedPosts } = await import('@longhaul/runtime/signed-posts');
    return openSignedPosts({ userAgent: `Longhaul/${packageVersion(import.meta.url)}`, privateNetworks });
  };
  let isStarted = false;
  const watch = new AlertWatch({
    tasks,
    holds: store.holds,
    process: randomUUID(),
    hasRoom: () => store.capacity.hasRoomToSpare(),
    settings,
    send: async (target, message) => (await (posts ??= openPosts())).post(target, message),
    clock: Date.now,
    onError: (error) => logger.error({ err: error }, 'alerts could not be looked at, and will be again'),
    onUnsent: (alert, problem) => logger.warn({ alert, problem }, 'an alert could not be sent, and will be sent again'),
  });
  return {
    start() {
      isStarted = true;
      watch.start();
    },
    async stop() {
      if (isStarted) await watch.stop();
      await (await posts)?.close();
    },
  };
}
