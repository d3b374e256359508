import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ServerConfig } from '../config/server-config.js';

/** Remembers which process of a server was called last. When another process replaces it, the state in its memory is lost. */
export class ServerStates {
  private readonly connections = new Map<string, string>();

  /** By the record of a call: on which connection it was made. */
  note({ name }: Pick<ServerConfig, 'name'>, connection: string): void {
    this.connections.set(name, connection);
  }

  /** Whether a process that was called before is gone. */
  isLost({ name, kind, stateless }: Pick<ServerConfig, 'name' | 'kind' | 'stateless'>, connection: string): boolean {
    const before = this.connections.get(name);
    return kind === 'stdio' && !stateless && before !== undefined && before !== connection;
  }
}

/** The result, after a note that says so to the model. */
export function withLossNote(result: CallToolResult, server: string): CallToolResult {
  const text = `[The server "${server}" was started again before this call. What it had in memory from earlier calls is gone.]`;
  const { content, structuredContent } = result;
  // A model is shown structured content where there is no text.
  const shown: CallToolResult['content'] =
    content.length === 0 && structuredContent !== undefined ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : content;
  return { ...result, content: [{ type: 'text', text }, ...shown] };
}
