/** Reads what Linux knows of a process' memory. On other systems nothing is known, and only the heap is bounded. */
import { readFileSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';

/** The memory of this container, or of the machine, bytes. */
export function totalMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < totalmem() ? constrained : totalmem();
}

/** Resident memory of a process, bytes; 0 when it is not known. */
export function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kibibytes ?? 0) * 1024;
}

/** Has the kernel end this process before any other one when memory runs out. */
export function offerToKernel(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // The system is not Linux, or the process has ended.
  }
}

/** How many processes of this container the kernel has ended because memory ran out. */
export function kernelKills(): number {
  const path = /^0::(.*)$/m.exec(read('/proc/self/cgroup'))?.[1] ?? '';
  const counts = read(`/sys/fs/cgroup${path === '/' ? '' : path}/memory.events`) || read('/sys/fs/cgroup/memory/memory.oom_control');
  return Number(/^oom_kill (\d+)/m.exec(counts)?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
