/**
 * Says of each command that it is sent, for whoever measures them. ioredis has channels for that too, but as long as anybody listens
 * there it copies the arguments of every command and makes a promise more for each, and to listen now and then has Node compile what
 * sends commands anew each time.
 */
import { channel } from 'node:diagnostics_channel';
/** A channel of Node's that gets a {@link SentCommand} for each command: again when a connection or a redirection has it sent again. */
export const COMMANDS = 'longhaul:redis:command';
const commands = channel(COMMANDS);
/** Has the connection tell the channel of its commands, except of those that are not sent because it is not open. */
export function announceCommands(redis) {
    const send = redis.sendCommand.bind(redis);
    redis.sendCommand = (command, stream) => {
        if (commands.hasSubscribers && redis.status === 'ready')
            commands.publish(command);
        return send(command, stream);
    };
}
//# sourceMappingURL=commands.js.map