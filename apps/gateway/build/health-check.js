/**
 * The health check of the gateway's image: exit code 0 while it serves, else 1. It ends a gateway that takes connections and answers
 * none, because an engine starts a container again that has ended, and never one that is only unhealthy. A gateway without Redis
 * answers, so it stays. A worker needs no such check: its watchdog ends it.
 *
 *   node apps/gateway/dist/health-check.js [how long it may be silent, milliseconds]
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
/** What a health check of Docker may take, with some to spare, is 30 s. */
const SILENCE_MS = 20_000;
const READY_MS = 4_000;
const { PORT = '3000' } = process.env;
const [silenceMs = SILENCE_MS] = process.argv.slice(2);
async function ask(path, limitMs) {
    try {
        return (await fetch(`http://127.0.0.1:${PORT}${path}`, { signal: AbortSignal.timeout(limitMs) })).ok ? 'yes' : 'no';
    }
    catch (error) {
        // Nobody listens while it starts and when it ends.
        return error instanceof Error && error.name === 'TimeoutError' ? 'silence' : 'no';
    }
}
/** Processes of this user that run the gateway beside this file, for the same port. */
function gateways() {
    const main = fileURLToPath(new URL('main.js', import.meta.url));
    return readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .filter((pid) => {
        try {
            // The script is not always the first: options of Node stand before it.
            const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
            const cwd = readlinkSync(`/proc/${pid}/cwd`);
            if (!args.some((arg) => resolve(cwd, arg) === main))
                return false;
            return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`PORT=${PORT}`);
        }
        catch {
            return false; // It has ended, or is somebody else's.
        }
    })
        .map(Number);
}
const ready = await ask('/readyz', READY_MS);
if (ready === 'silence' && (await ask('/healthz', Number(silenceMs))) === 'silence')
    for (const pid of gateways())
        process.kill(pid, 'SIGKILL');
process.exit(ready === 'yes' ? 0 : 1);
//# sourceMappingURL=health-check.js.map