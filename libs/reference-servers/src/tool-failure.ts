/** A failure that a tool expects, in the words of the reference servers written in Python. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(tool: string, message: string) {
    super(`Error executing tool ${tool}: ${message}`);
  }
}
