import type { Redis } from 'ioredis';

/**
 * All commands that the Redis is sent from now on, by anybody.
 *
 * ioredis takes the first command for an answer when both come in one piece, which they do where others are busy: then it is asked again.
 */
export async function monitorOf(redis: Redis): Promise<Redis> {
  for (;;)
    try {
      return await redis.monitor();
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('Command queue state error'))) throw error;
    }
}
