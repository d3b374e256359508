/**
 * Ends the processes that this one has started when this one has ended, in any way. A killed process cannot act any more, and a process may
 * ignore the end of its input. So a shell waits in a session of its own: it reads from a pipe that only this process holds open, and at the
 * end of the pipe it ends the listed processes, by SIGTERM and then by SIGKILL. On Linux it also ends the processes that those have
 * started, even in groups or sessions of their own. Those that were handed over to the system, such as daemons, end if they have the
 * variable `STARTED_BY_LONGHAUL` of this process, which a child gives to all of its own.
 *
 * Only a kill between the start of a process and the line about it, within one turn of the event loop, leaves a process behind. Windows has
 * neither process groups nor this shell: there, nothing is done.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';

/** Lines are `+` or `-` and an argument of `kill`: a process, or a group with a minus sign. A process has one second to end by itself. */
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
for environ in /proc/[0-9]*/environ; do
  if grep -qF "$1" "$environ" 2>/dev/null; then environ="\${environ#/proc/}"; all="$all \${environ%/environ}"; fi
done
for target in $all; do kill -s TERM -- "$target" 2>/dev/null; done
for target in $all; do
  if kill -s 0 -- "$target" 2>/dev/null; then sleep 1; break; fi
done
for target in $all; do kill -s KILL -- "$target" 2>/dev/null; done
`;

/** Ends a loop of shells that die at once. */
const MAX_REPLACEMENTS = 100;

/** The variable that marks what this process has started, and its value: another one for each group. */
export const STARTED_BY = 'STARTED_BY_LONGHAUL';
const MARK = `${process.pid}.${randomUUID()}.`;

let marks = 0;
/** A mark that nothing else has. */
export function newMark(): string {
  marks += 1;
  return `${MARK}${marks}`;
}

const targets = new Set<number>();
let reaper: ChildProcess | undefined;
let replacements = 0;

/**
 * Has processes ended when this process has ended.
 *
 * @param target the id of a process; with a minus sign the id of a group, whose processes are all ended
 * @returns a function that the caller must call as soon as they have ended: another process may get the id
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

/** Has a process without a group of its own ended when this process has ended. */
export function endChildWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  child.once('exit', endWithThisProcess(child.pid));
}

function startReaper(): void {
  const started = spawn('/bin/sh', ['-c', SCRIPT, 'longhaul-reaper', `${STARTED_BY}=${MARK}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // A killed shell is replaced at once. What was written to its pipe is lost: the new one is told of all targets.
  const replace = (): void => {
    if (reaper !== started) return;
    reaper = undefined;
    if (targets.size > 0 && replacements++ < MAX_REPLACEMENTS) startReaper();
  };
  started.once('exit', replace);
  started.once('error', (error) => {
    if (reaper === started) reaper = undefined;
    process.emitWarning(`Processes that are started here outlive this one when it is killed: ${error.message}`);
  });
  started.stdin.on('error', replace);
  // The shell waits for this process, which must not wait for the shell.
  started.unref();
  (started.stdin as Socket).unref();
  reaper = started;
  for (const target of targets) tell('+', target);
}

function tell(what: '+' | '-', target: number): void {
  reaper?.stdin?.write(`${what} ${target}\n`);
}
