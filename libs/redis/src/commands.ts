/**
 * Announces each sent command, for measurements. ioredis has channels for that too, but with a subscriber it copies the arguments of every
 * command and makes one more promise for each, and a subscriber that comes and goes makes Node compile the sending code again each time.
 */
import { channel } from 'node:diagnostics_channel';
import type { Command, Redis } from 'ioredis';

/**
 * A channel of Node's that gets a {@link SentCommand} for each command, and once more when a connection or a redirection sends it again.
 */
export const COMMANDS = 'longhaul:redis:command';

/** `promise` settles with its answer. */
export type SentCommand = Pick<Command, 'name' | 'promise'>;

const commands = channel(COMMANDS);

/** Makes the connection announce its commands, except commands that are not sent because it is not open. */
export function announceCommands(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    if (commands.hasSubscribers && redis.status === 'ready') commands.publish(command);
    return send(command, stream);
  };
}
