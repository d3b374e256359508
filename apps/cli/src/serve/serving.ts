/** Gateway and worker, wherever they run. */
export interface Serving {
  /** The MCP endpoint. */
  readonly url: string;
  /** Resolves with what happened when a part of it ends, or cannot be trusted any more. */
  readonly failed: Promise<string>;
}
