/** Starts the processes of a run: a Redis of its own, and children that report their CPU time on request. */
import { type ChildProcess, execFile, fork, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { freePort } from '../free-port.js';

/** CPU time that a process has used, microseconds. */
export type CpuMeter = () => Promise<number>;

/** A started process. */
export interface Running {
  readonly cpu: CpuMeter;
  stop(): Promise<void>;
}

/** The Redis of a run. */
export interface BenchRedis extends Running {
  readonly url: string;
  /** The number of scripts that it has run, and their duration by its own clock, microseconds. */
  scripts(): Promise<{ readonly calls: number; readonly micros: number }>;
  /** Memory in use. */
  bytes(): Promise<number>;
  /** Runs another command on the server. */
  call(...command: [string, ...(string | number)[]]): Promise<unknown>;
}

/** The path of a server program, as the tests find it. */
async function redisProgram(): Promise<string> {
  const script = new URL('../../../scripts/redis-program.mjs', import.meta.url).href;
  const found = (await import(script)) as { redisProgram(): Promise<{ readonly path: string }> };
  return (await found.redisProgram()).path;
}

/** A Redis whose instructions are counted. */
export interface CountedRedis extends BenchRedis {
  /** How many its main thread has executed, without those of the kernel. */
  instructions(): Promise<number>;
}

const VALGRIND = ['valgrind', '--quiet', '--tool=callgrind', '--callgrind-out-file=/dev/null'];
/** Everything is slow under Valgrind. By itself, Redis does something once a second only. */
const UNDER_VALGRIND = ['--slowlog-log-slower-than', '-1', '--hz', '1', '--dynamic-hz', 'no'];
/** How long a Redis that waits for commands is left alone before it is interrupted to be asked, milliseconds. */
const ASKED_AFTER_MS = 1;

/** Starts the same Redis under Valgrind, which is about 50 times as slow. */
export async function startRedisUnderValgrind(): Promise<CountedRedis> {
  const { child, redis } = await startServer([...VALGRIND, await redisProgram()], UNDER_VALGRIND);
  return {
    ...redis,
    instructions: async () => {
      const { stdout } = await promisify(execFile)('vgdb', [
        `--pid=${child.pid}`,
        `--max-invoke-ms=${ASKED_AFTER_MS}`,
        'status',
        'internal',
      ]);
      return Number(/^events-1: +(\d+)/m.exec(stdout)?.[1]);
    },
  };
}

/** Starts a `redis-server` with AOF `everysec`, as a deployment would. @param settings additional ones */
export async function startRedis(settings: readonly string[] = []): Promise<BenchRedis> {
  return (await startServer([await redisProgram()], settings)).redis;
}

async function startServer([program = '', ...before]: readonly string[], settings: readonly string[]) {
  const dir = await mkdtemp(join(tmpdir(), 'longhaul-bench-'));
  const port = await freePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'yes'];
  const all = [...before, ...options, ...settings, '--maxmemory-policy', 'noeviction', '--hash-max-listpack-value', '4096'];
  const child = spawn(program, all, { stdio: 'ignore' });
  const guard = endWithThisProcess(child);
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on('error', () => undefined); // It is only just starting.
  await redis.ping();
  const started: BenchRedis = {
    url,
    cpu: async () => {
      const info = await redis.info('cpu');
      const seconds = ['used_cpu_user', 'used_cpu_sys'].map((name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]));
      return seconds.reduce((sum, value) => sum + value, 0) * 1e6;
    },
    scripts: async () => {
      const [, calls, micros] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(await redis.info('commandstats')) ?? [];
      return { calls: Number(calls), micros: Number(micros) };
    },
    bytes: async () => Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]),
    call: (...command) => redis.call(...command),
    async stop() {
      redis.disconnect();
      child.kill();
      await once(child, 'exit');
      guard.kill('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
  return { child, redis: started };
}

/** Makes a shell wait until this process ends, in any way, and then end the other one. @returns the shell */
function endWithThisProcess({ pid }: ChildProcess): ChildProcess {
  const script = 'cat >/dev/null; kill "$1" 2>/dev/null';
  const stdio: StdioOptions = ['pipe', 'ignore', 'ignore'];
  return spawn('/bin/sh', ['-c', script, 'longhaul-bench-guard', String(pid)], { stdio, detached: true });
}

/** A Node process that was started. */
export interface Child extends Running {
  /** Its message when it was ready. */
  readonly ready: Said;
  readonly child: ChildProcess;
  /** Memory in use after a garbage collection. */
  heapBytes(): Promise<number>;
  /** Resident memory at this moment. */
  residentBytes(): number;
}

/** Starts a Node child and waits until it reports that it is ready. @param flags of Node */
export async function startChild(module: string, env: Record<string, string>, flags: readonly string[] = []): Promise<Child> {
  const preload = new URL('./cpu-probe.js', import.meta.url).href;
  const child = fork(module, {
    env: { ...process.env, ...env },
    execArgv: [...flags, '--expose-gc', '--import', preload],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await message(child, 'ready');
  const usage = async ({ collect } = { collect: false }): Promise<Said> => {
    child.send({ type: 'usage?', collect });
    return message(child, 'usage');
  };
  return {
    ready,
    child,
    cpu: async () => Number((await usage())['micros']),
    heapBytes: async () => Number((await usage({ collect: true }))['heapBytes']),
    residentBytes: () => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

interface Said {
  readonly [name: string]: unknown;
}

async function message(child: ChildProcess, type: string): Promise<Said> {
  return new Promise((resolve, reject) => {
    const onMessage = (said: unknown): void => {
      if (typeof said !== 'object' || said === null || !('type' in said) || said.type !== type) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(said);
    };
    const onExit = (code: number | null): void =>
      reject(new Error(`A process of the bench ended with ${String(code)} before it was ${type}.`));
    child.on('message', onMessage);
    child.once('exit', onExit);
  });
}
