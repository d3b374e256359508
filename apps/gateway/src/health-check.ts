/**
 * Checks the health of a gateway for its image: exit code 0 while it serves, otherwise 1. It ends a gateway that accepts connections and
 * does not answer: an engine restarts a container that has ended, but not one that is only unhealthy. A gateway without Redis answers, so
 * it continues to run. A worker needs no such check: its watchdog ends it.
 *
 *   node apps/gateway/dist/health-check.js [longest permitted silence, milliseconds]
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Docker's limit for a health check is 30 s; this is shorter. */
const SILENCE_MS = 20_000;
const READY_MS = 4_000;

const { PORT = '3000' } = process.env;
const [silenceMs = SILENCE_MS] = process.argv.slice(2);

type Answer = 'yes' | 'no' | 'silence';

async function ask(path: string, limitMs: number): Promise<Answer> {
  try {
    return (await fetch(`http://127.0.0.1:${PORT}${path}`, { signal: AbortSignal.timeout(limitMs) })).ok ? 'yes' : 'no';
  } catch (error) {
    // Nothing listens while it starts and when it ends.
    return error instanceof Error && error.name === 'TimeoutError' ? 'silence' : 'no';
  }
}

/** Processes of this user that run this gateway's main file, for the same port. */
function gateways(): number[] {
  const main = fileURLToPath(new URL('main.js', import.meta.url));
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        // The script is not always the first argument: Node's options come before it.
        const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        const cwd = readlinkSync(`/proc/${pid}/cwd`);
        if (!args.some((arg) => resolve(cwd, arg) === main)) return false;
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`PORT=${PORT}`);
      } catch {
        return false; // It has ended, or belongs to another user.
      }
    })
    .map(Number);
}

const ready = await ask('/readyz', READY_MS);
if (ready === 'silence' && (await ask('/healthz', Number(silenceMs))) === 'silence')
  for (const pid of gateways()) process.kill(pid, 'SIGKILL');
process.exit(ready === 'yes' ? 0 : 1);
