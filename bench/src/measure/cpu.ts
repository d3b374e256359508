/** Measures the CPU time of several processes, each by its name. */
import type { CpuMeter } from './processes.js';

/** Processes that report their CPU time. */
export type Metered = Readonly<Record<string, { readonly cpu: CpuMeter }>>;

/** CPU time of each process, microseconds. */
export type Cpu = Readonly<Record<string, number>>;

/** CPU time of the processes since their start. */
export async function readCpu(processes: Metered): Promise<Cpu> {
  return Object.fromEntries(await Promise.all(Object.entries(processes).map(async ([name, { cpu }]) => [name, await cpu()] as const)));
}

/** The CPU time that they have used since `before`, for each of `count` operations. */
export async function cpuSince(before: Cpu, processes: Metered, count: number): Promise<Cpu> {
  const after = await readCpu(processes);
  return Object.fromEntries(Object.entries(after).map(([name, micros]) => [name, (micros - (before[name] ?? 0)) / count]));
}

/** The total over all processes, microseconds. */
export function totalOf(cpu: Cpu): number {
  return Object.values(cpu).reduce((sum, micros) => sum + micros, 0);
}

/** Process by process, in microseconds, as text. */
export function partsOf(cpu: Cpu): string {
  return Object.entries(cpu)
    .map(([name, micros]) => `${name} ${micros.toFixed(0)}`)
    .join(', ');
}
