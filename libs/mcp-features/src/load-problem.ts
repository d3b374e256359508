/** Why a module of features could not be loaded: in words that say what to do, where Node's own do not. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMPILE = 'compile it (tsc, esbuild or swc) and name the compiled file';

/**
 * @param module as it was named
 * @param specifier what was imported: a URL, or the name of a package
 * @returns one line
 */
export function loadProblem(module: string, specifier: string, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const [message = ''] = cause.message.split('\n', 1);
  const code = 'code' in cause ? cause.code : undefined;
  if (cause instanceof SyntaxError && message === 'Invalid or unexpected token') return `${message}${aboutDecorators(specifier)}`;
  if (code === 'ERR_MODULE_NOT_FOUND' && specifier === module && looksLikePath(module))
    return `no package is called "${module}". A path begins with "./" or "/"${existsSync(module) ? `: "./${module}"` : ''}`;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `${message}: TypeScript takes Node 22.18 or newer, and this is ${process.version}; or ${COMPILE}`;
  return message;
}

/** Says which line has a decorator, if one has. What the module imports is not looked at. */
function aboutDecorators(specifier: string): string {
  const lines = sourceOf(specifier).split('\n');
  const at = lines.findIndex((line) => /^\s*@[\w.]+(\(|\s*$)/.test(line));
  if (at === -1) return `. If it, or a file that it imports, has decorators, which no Node reads: ${COMPILE}`;
  return `. Line ${at + 1} has a decorator (${/@[\w.]+/.exec(lines[at] ?? '')?.[0]}), which no Node reads: ${COMPILE}`;
}

function sourceOf(specifier: string): string {
  try {
    return readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8');
  } catch {
    return ''; // Some modules are no files, such as `data:` URLs.
  }
}

/** Names of packages have no extension, and a slash only after their scope or before one of their entries. */
function looksLikePath(module: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(module) || existsSync(module);
}
