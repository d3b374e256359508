import { readdirSync, readFileSync } from 'node:fs';

/**
 * Finds the processes that a process has started, and their own child processes, also in other groups and sessions. Processes with a parent
 * that has ended are not found: see `markedProcesses`. Only Linux shows them; on other systems the list is empty.
 */
export function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap((child) => descendantsOf(child))];
}

/**
 * Finds the processes that have the variable with this value, also daemons, whose parent has ended. Only Linux shows them.
 *
 * @param mark `NAME=value`
 */
export function markedProcesses(mark: string): number[] {
  return entriesOf('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark))
    .map(Number);
}

/** The variables of a process: nothing for one of another user, or one that has ended. */
function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not on this system.
  }
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
