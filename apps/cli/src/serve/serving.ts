/** Gateway and worker, wherever they run. */
export interface Serving {
  /** The MCP endpoint. */
  readonly url: string;
  /** Resolves with what happened when a part of it ends; absent when all of it is this process. */
  readonly failed?: Promise<string>;
}
