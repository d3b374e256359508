import type { Redis } from 'ioredis';

/**
 * All commands that the Redis is sent from now on, by anybody.
 *
 * ioredis takes the first commands for answers when they come in one piece with the answer to its own, which they do where others are busy:
 * then another connection asks.
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
