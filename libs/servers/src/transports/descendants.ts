import { readdirSync, readFileSync } from 'node:fs';

/**
 * Finds the processes that a process has started, and their own child processes, also in other groups and sessions. Processes with a parent
 * that has ended are not found. Only Linux shows them; on other systems the list is empty.
 */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap((child) => descendantsOf(child))];
}

function childrenOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  try {
    return readdirSync(threads).flatMap((thread) =>
      (readFileSync(`${threads}/${thread}/children`, 'utf8').match(/\d+/g) ?? []).map(Number),
    );
  } catch {
    // It has ended since then, or is not shown.
    return [];
  }
}
