import { createHash } from 'node:crypto';
import { readFileSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write several files at once, and some of them in several steps. */
const QUIET_MS = 50;

/** Files that are watched for changes of what is in them. */
export interface WatchedFiles {
  /** Watches one more. */
  add(path: string): void;
  /** Their current content: twelve hexadecimal digits, and the files that have changed since the last look. */
  look(): { readonly digest: string; readonly changed: readonly string[] };
  /** Whether any file next to them counts as a change too: a missing file may appear there. */
  countOthers(counts: boolean): void;
  close(): void;
}

/**
 * Watches files by observing their folders: editors replace a file rather than write to it.
 *
 * @param onChange called once the files are quiet
 * @param onFailure called once for a folder that cannot be observed, or no longer, for example because of a limit of the system
 */
export function watchFiles(onChange: () => void, onFailure: (folder: string, error: Error) => void): WatchedFiles {
  /** By folder; undefined for one that cannot be observed. */
  const watchers = new Map<string, FSWatcher | undefined>();
  const names = new Map<string, Set<string>>();
  const digests = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let othersCount = false;
  const touched = (folder: string, name: string | null): void => {
    if (!othersCount && name !== null && names.get(folder)?.has(name) !== true) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET_MS);
  };
  const observe = (folder: string): void => {
    const fail = (error: unknown): void => {
      watchers.set(folder, undefined);
      onFailure(folder, error instanceof Error ? error : new Error(String(error)));
    };
    try {
      watchers.set(folder, watch(folder, (_event, name) => touched(folder, name)).on('error', fail));
    } catch (error) {
      fail(error);
    }
  };
  return {
    add(path) {
      if (digests.has(path)) return;
      digests.set(path, digestOf(path));
      const folder = dirname(path);
      names.set(folder, (names.get(folder) ?? new Set()).add(basename(path)));
      if (!watchers.has(folder)) observe(folder);
    },
    look() {
      const changed: string[] = [];
      for (const [path, before] of digests) {
        const now = digestOf(path);
        if (now === before) continue;
        digests.set(path, now);
        changed.push(path);
      }
      const all = [...digests].toSorted(([one], [other]) => (one < other ? -1 : 1));
      return { digest: shortHash(JSON.stringify(all)), changed };
    },
    countOthers: (counts) => void (othersCount = counts),
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher?.close();
    },
  };
}

function digestOf(path: string): string {
  try {
    return shortHash(readFileSync(path));
  } catch {
    return 'gone';
  }
}

function shortHash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
