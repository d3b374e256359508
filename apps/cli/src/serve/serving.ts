/** Gateway and worker, wherever they run. */
export interface Serving {
  /** The MCP endpoint. */
  readonly url: string;
  /** Resolves with what happened when a part of it ends by itself; never when it is stopped. */
  readonly failed: Promise<string>;
}
