import type { Redis } from 'ioredis';

/**
 * Records all commands that any client sends to Redis from now on.
 *
 * If the first commands arrive together with the answer to ioredis's own command, it takes them for answers. This happens when other
 * clients are busy; then another connection asks.
 */
export async function monitorOf(redis: Redis): Promise<Redis> {
  for (;;) {
    const monitor = redis.duplicate({ monitor: true, lazyConnect: false });
    try {
      await new Promise<void>((resolve, reject) => {
        // Each of those commands is one more error.
        monitor.on('error', reject);
        monitor.once('monitoring', resolve);
      });
      return monitor;
    } catch (error) {
      monitor.disconnect();
      if (!(error instanceof Error && error.message.startsWith('Command queue state error'))) throw error;
    }
  }
}
