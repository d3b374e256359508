import { branchTool, diffTool, logTool, showTool, stagedTool, statusTool, unstagedTool } from './reading-tools.js';
import { addTool, checkoutTool, commitTool, createBranchTool, resetTool } from './writing-tools.js';
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
export function gitTools({ roots }) {
    return roots.length === 0 ? [] : TOOLS.map((tool) => tool(roots));
}
//# sourceMappingURL=git-tools.js.map