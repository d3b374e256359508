import { connect } from 'node:net';

const ANSWER_LIMIT_MS = 2_000;

/** @returns the reply when it is complete: a simple string, an error or a bulk string */
function completeReply(received: string): string | undefined {
  const end = received.indexOf('\r\n');
  if (end === -1) return undefined;
  const line = received.slice(0, end);
  if (!line.startsWith('$')) return line;
  const body = received.slice(end + 2);
  return Buffer.byteLength(body) >= Number(line.slice(1)) + 2 ? body : undefined;
}

/**
 * Sends one command without arguments that need quoting to a server on a unix socket: enough to see whether and as whom it lives.
 *
 * @returns the reply, an error starting with `-`; undefined when nobody answers
 */
export function askRedis(socketPath: string, command: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(`${command}\r\n`));
    let received = '';
    const end = (reply: string | undefined): void => {
      socket.destroy();
      resolve(reply);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_LIMIT_MS, () => end(undefined));
    socket.on('data', (chunk: string) => {
      received += chunk;
      const reply = completeReply(received);
      if (reply !== undefined) end(reply);
    });
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
  });
}
