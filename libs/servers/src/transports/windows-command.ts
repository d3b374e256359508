/**
 * Finds how a command is started on Windows. There a name such as `npx` stands for `npx.cmd`, which `spawn` does not find (ENOENT), and a
 * batch file cannot be started without its interpreter (EINVAL). So the file is looked for as a shell does, and batch files are given to
 * `cmd.exe`, with arguments that it passes on unchanged.
 */
import { win32 } from 'node:path';

/** A command as `spawn` takes it. */
export interface SpawnedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the arguments are quoted already. */
  readonly windowsVerbatimArguments?: true;
}

/** The system that the command is for. */
export interface CommandPlace {
  readonly platform: NodeJS.Platform;
  /** The variables of the new process. On Windows the case of their names means nothing. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly exists: (path: string) => boolean;
}

/** In the order in which Windows looks for them. */
const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';
const BATCH_FILE = /\.(?:cmd|bat)$/i;
/** The characters that `cmd.exe` gives a meaning. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

/** The command for this system. One that is not found stays as it is, so that the system says so. */
export function commandFor(command: string, args: readonly string[], place: CommandPlace): SpawnedCommand {
  if (place.platform !== 'win32') return { command, args };
  const file = fileOf(command, place);
  if (file === undefined || !BATCH_FILE.test(file)) return { command, args };
  const line = [file.replaceAll(SPECIAL, '^$&'), ...args.map(quoted)].join(' ');
  return {
    command: variable('ComSpec', place.env) ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

function fileOf(command: string, { env, cwd, exists }: CommandPlace): string | undefined {
  const folders = /[\\/]/.test(command) ? [''] : ['', ...(variable('Path', env) ?? '').split(';').filter((folder) => folder !== '')];
  const extensions = (variable('PathExt', env) ?? DEFAULT_EXTENSIONS).split(';').filter((extension) => extension !== '');
  // A file without an extension is a script of another system, such as the `npx` next to `npx.cmd`.
  const names = [...(win32.extname(command) === '' ? [] : [command]), ...extensions.map((extension) => command + extension.toLowerCase())];
  for (const folder of folders)
    for (const name of names) {
      const path = win32.resolve(cwd, folder, name);
      if (exists(path)) return path;
    }
  return undefined;
}

/**
 * An argument as `cmd.exe` and the program of the batch file read it. It is read by `cmd.exe` twice: in the command, and in the line of the
 * batch file that passes it on.
 */
function quoted(argument: string): string {
  const escaped = argument.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
  return `"${escaped}"`.replaceAll(SPECIAL, '^$&').replaceAll(SPECIAL, '^$&');
}

function variable(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const found = Object.keys(env).find((each) => each.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : env[found];
}
