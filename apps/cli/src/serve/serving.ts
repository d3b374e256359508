/** Gateway and worker, wherever they run. */
export interface Serving {
  /** The MCP endpoint. */
  readonly url: string;
  /** Resolves with what happened when a part of it ends, or cannot be trusted any more. */
  readonly failed: Promise<string>;
  /**
   * Starts gateway and worker once more, and ends those that run when the new ones have loaded their features. Tasks go on.
   *
   * @param changes of the environment
   * @throws UserError why the features cannot be loaded; then everything stays as it is
   */
  reload(changes: NodeJS.ProcessEnv): Promise<void>;
}
