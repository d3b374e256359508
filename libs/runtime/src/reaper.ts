/**
 * Ends the processes that this one has started when this one is gone, however it goes. A killed process can do nothing any more, and
 * the end of its input is something that a process may ignore. So a shell waits beside it, in a session of its own: it reads from a
 * pipe that only this process holds open, and at the end of the pipe it ends what it was told to, by SIGTERM and then by SIGKILL. On
 * Linux it ends what that has started as well, also in groups or sessions of its own; only what has been handed over to the system, as
 * daemons are, goes on.
 *
 * Only a kill between the start of a process and the line about it, within one turn of the event loop, leaves something behind. On
 * Windows, which has neither process groups nor this shell, nothing is done.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Lines are `+` or `-` and what `kill` takes: a process, or a group with a minus sign. A second is what it has to end by itself. */
const SCRIPT = `
trap '' HUP INT TERM
all=
descendants() {
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
    echo "$child"
    descendants "$child"
  done
}
while read -r what target; do
  case "$what" in
    +) all="$all $target " ;;
    -) all="\${all%% $target *} \${all#* $target }" ;;
  esac
done
for target in $all; do all="$all $(descendants "\${target#-}")"; done
for target in $all; do kill -s TERM -- "$target" 2>/dev/null; done
for target in $all; do
  if kill -s 0 -- "$target" 2>/dev/null; then sleep 1; break; fi
done
for target in $all; do kill -s KILL -- "$target" 2>/dev/null; done
`;

const targets = new Set<number>();
let reaper: ChildProcess | undefined;

/**
 * Has processes ended when this process is gone.
 *
 * @param target the id of a process; with a minus sign that of a group, of which all are ended
 * @returns is to be called as soon as they have ended: another process may get the id
 */
export function endWithThisProcess(target: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  targets.add(target);
  if (reaper === undefined) startReaper();
  else tell('+', target);
  return () => {
    if (targets.delete(target)) tell('-', target);
  };
}

/** Has a process without a group of its own ended when this process is gone. */
export function endChildWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  child.once('exit', endWithThisProcess(child.pid));
}

function startReaper(): void {
  const started = spawn('/bin/sh', ['-c', SCRIPT, 'longhaul-reaper'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const forget = (): void => {
    if (reaper === started) reaper = undefined;
  };
  // One that has been killed is replaced when it is needed again.
  started.once('exit', forget);
  started.once('error', (error) => {
    forget();
    process.emitWarning(`Processes that are started here outlive this one when it is killed: ${error.message}`);
  });
  started.stdin.on('error', forget);
  // It waits for this process, which must not wait for it.
  started.unref();
  (started.stdin as Socket).unref();
  reaper = started;
  for (const target of targets) tell('+', target);
}

function tell(what: '+' | '-', target: number): void {
  reaper?.stdin?.write(`${what} ${target}\n`);
}
