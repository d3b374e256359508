/**
 * Pins the tools of a server: what an operator has approved is recorded as a hash of each tool, in the file of servers or in a file next to it.
 * A tool that differs, or that was never approved, is refused until an operator approves it. What is compared is what a model or a person
 * decides by: the name, title, description, schemas and annotations.
 */
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import { createHash } from 'node:crypto';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { PinFile } from './pin-file.js';

/** The hashes of a server's tools, by their names. */
export type ToolHashes = Readonly<Record<string, string>>;

/** Whether a tool may be used. */
export type PinVerdict = 'approved' | 'changed' | 'unknown';

/** A tool is not as it was approved, or was never approved. */
export class ToolRefused extends Error {
  override readonly name = 'ToolRefused';

  constructor(server: string, tool: string, verdict: Exclude<PinVerdict, 'approved'>) {
    const why = verdict === 'changed' ? 'it is not as it was when an operator approved it' : 'no operator has approved it';
    super(`The tool ${JSON.stringify(tool)} of the server "${server}" is refused: ${why}.`);
  }
}

/** The hash of what is compared. It is stored: the same tool has the same hash for ever. */
export function toolHash({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool): string {
  const compared = canonicalJson({ name, title, description, inputSchema, outputSchema, annotations });
  return `sha256:${createHash('sha256').update(compared).digest('hex')}`;
}

export class ToolPins {
  /** @param source hashes that stand in the file of servers, or the file next to it */
  constructor(
    private readonly server: string,
    private readonly source: ToolHashes | PinFile,
  ) {}

  /** Changes when other hashes are recorded. */
  get version(): number {
    return isFile(this.source) ? this.source.version : 0;
  }

  /** The file with the hashes; nothing if they stand in the file of servers. */
  get file(): PinFile | undefined {
    return isFile(this.source) ? this.source : undefined;
  }

  /** Reads what is recorded, if that has changed. To be called before `verdict`. @throws ConfigError for a file that cannot be read */
  async refresh(): Promise<void> {
    await this.file?.refresh();
  }

  /** Whether the tool is as it was approved. A tool of a server without records is not known. */
  verdict(tool: ListedTool): PinVerdict {
    const hashes = isFile(this.source) ? this.source.hashesOf(this.server) : this.source;
    if (hashes === undefined || !Object.hasOwn(hashes, tool.name)) return 'unknown';
    return hashes[tool.name] === toolHash(tool) ? 'approved' : 'changed';
  }

  /** @throws ToolRefused; ConfigError when it cannot be found out */
  async require(name: string, tools: readonly ListedTool[]): Promise<void> {
    await this.refresh();
    const tool = tools.find((each) => each.name === name);
    const verdict = tool === undefined ? 'unknown' : this.verdict(tool);
    if (verdict !== 'approved') throw new ToolRefused(this.server, name, verdict);
  }
}

function isFile(source: ToolHashes | PinFile): source is PinFile {
  return typeof source['refresh'] === 'function';
}
