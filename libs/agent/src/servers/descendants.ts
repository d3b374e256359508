import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processes that a process has started, with those that they have started, also in groups and sessions of their own. Not those
 * whose parent has ended. Where the system does not show them, which only Linux does, there are none.
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
    // It has ended meanwhile, or is not shown.
    return [];
  }
}
