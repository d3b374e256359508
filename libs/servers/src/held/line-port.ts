/** Joins the line of another process to the hub of a server: that process is one more client of the connection. */
import { isJSONRPCRequest, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { JsonRpcCode } from '@longhaul/tasks';
import type { Line } from './line.js';
import type { SharedLink } from './shared-link.js';

/** @throws Error if there is no connection to share */
export function joinLine(line: Line, link: SharedLink): void {
  const port = link.hub?.port();
  if (port === undefined) throw new Error('There is no connection to share.');
  port.onmessage = (message) => {
    try {
      line.send(JSON.stringify(message));
    } catch (error) {
      line.end((error as Error).message);
    }
  };
  port.onclose = () => line.end(link.endedByItself ?? 'is ended', false);
  line.onend = () => void port.close();
  line.ontext = (text) => {
    const message = parseJSONRPCMessage(JSON.parse(text));
    port.send(message).catch((error: Error) => {
      if (!isJSONRPCRequest(message) || line.isEnded) return;
      line.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: JsonRpcCode.InternalError, message: error.message } }));
    });
  };
}
