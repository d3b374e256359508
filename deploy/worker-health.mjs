// Health check of a worker container, exit code 0 or 1. A worker has no port to ask, so this looks at the process from
// outside, in /proc, which needs neither Redis commands nor privileges:
//
// - it is awake: its main thread has gone to sleep and woken up, which its timers make it do several times in 3 s. A
//   loop in a tool that never yields keeps it from that, and so does a stopped process;
// - it is connected: a TCP connection to a port of REDIS_URL is established.
//
// `--awake` leaves out the second part: restarting a worker does not bring its Redis back.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const WITHIN_MS = 3_500;
const ESTABLISHED = '01';

/** @returns {string | undefined} the id of the worker's process, which is 1 or the child of an init process */
function findWorker() {
  // An init process has the same words in its own command line, but is not node.
  const isWorker = /^[^\0]*\bnode\0.*apps\/worker\/dist\/main\.js\0/;
  return readdirSync('/proc').find((name) => /^\d+$/.test(name) && isWorker.test(read(`/proc/${name}/cmdline`)));
}

/**
 * @param {string} path
 * @returns {string} nothing when the process has ended meanwhile
 */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {string} pid */
const timesAsleep = (pid) => /^voluntary_ctxt_switches:\s*(\d+)/m.exec(read(`/proc/${pid}/task/${pid}/status`))?.[1];

/** @param {string} pid */
async function isAwake(pid) {
  const before = timesAsleep(pid);
  for (const startedAt = performance.now(); performance.now() - startedAt < WITHIN_MS; await wait(50))
    if (timesAsleep(pid) !== before) return true;
  return false;
}

/** @returns {string[]} the ports of REDIS_URL as /proc writes them; several for the nodes of a cluster */
function redisPorts() {
  const nodes = (process.env['REDIS_URL'] || 'redis://127.0.0.1').split(',').map((node) => node.trim());
  const ports = nodes.map((node) => Number(URL.parse(node.includes('://') ? node : `redis://${node}`)?.port || 6379));
  return ports.map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`);
}

/** @param {string} pid */
function isConnected(pid) {
  const ports = redisPorts();
  return ['tcp', 'tcp6']
    .flatMap((table) => read(`/proc/${pid}/net/${table}`).split('\n').slice(1))
    .some((line) => {
      const [, , remote = '', state] = line.trim().split(/\s+/);
      return state === ESTABLISHED && ports.some((port) => remote.endsWith(port));
    });
}

/** @returns {Promise<string | undefined>} what is wrong */
async function diagnose() {
  const pid = findWorker();
  if (pid === undefined) return 'no worker runs';
  if (!process.argv.includes('--awake') && !isConnected(pid)) return 'not connected to Redis';
  return (await isAwake(pid)) ? undefined : `its main thread has not yielded for ${WITHIN_MS} ms`;
}

const problem = await diagnose();
process.stdout.write(`${problem ?? 'ok'}\n`);
process.exitCode = problem === undefined ? 0 : 1;
