import type { TaskStatus } from '@longhaul/client';
import { type ConnectedServer, failureText } from '@longhaul/servers';
import type { Progress } from '@modelcontextprotocol/client';
import type { AgentTool, Toolbox } from '../tools/toolbox.js';

/** Provides the tools of one server, under the server's names. They are merged with the tools of other servers before a model sees them. */
export function serverToolbox(server: ConnectedServer): Toolbox {
  let last: { readonly listed: ConnectedServer['tools']; readonly tools: readonly AgentTool[] } | undefined;
  return {
    get tools() {
      const { tools: listed } = server;
      if (last?.listed !== listed) last = { listed, tools: listed.map((tool) => ({ name: tool.name, server: server.name, listed: tool })) };
      return last.tools;
    },
    call: async ({ id, tool, arguments: args }, { signal, onProgress }) => {
      try {
        return await server.callTool(tool.listed.name, args, {
          callId: id,
          signal,
          ...(onProgress !== undefined && {
            onProgress: (progress) => onProgress(progressText(progress)),
            onStatus: (status) => onProgress(statusText(status)),
          }),
        });
      } catch (error) {
        throw failureOf(error, server, signal);
      }
    },
  };
}

/** The error of a call, for the model; the reason of the signal as it is. */
export function failureOf(error: unknown, server: ConnectedServer, signal: AbortSignal): unknown {
  return signal.aborted ? error : new Error(failureText(error, server), { cause: error });
}

function progressText({ progress, total, message }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? count : `${count}: ${message}`;
}

function statusText({ status, statusMessage }: TaskStatus): string {
  return statusMessage ?? status;
}
