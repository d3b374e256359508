import type { Tool } from '@longhaul/mcp-features';
import { branchTool, diffTool, logTool, showTool, stagedTool, statusTool, unstagedTool } from './reading-tools.js';
import { addTool, checkoutTool, commitTool, createBranchTool, resetTool } from './writing-tools.js';

/** The settings of the tools. */
export interface GitToolsOptions {
  /** Absolute paths of the folders that repositories have to lie in. Without any there are no tools. */
  readonly roots: readonly string[];
}

const TOOLS = [
  statusTool,
  unstagedTool,
  stagedTool,
  diffTool,
  commitTool,
  addTool,
  resetTool,
  logTool,
  createBranchTool,
  checkoutTool,
  showTool,
  branchTool,
];

/** The twelve tools of the reference server, for the repositories in the given folders. */
export function gitTools({ roots }: GitToolsOptions): readonly Tool[] {
  return roots.length === 0 ? [] : TOOLS.map((tool) => tool(roots));
}
