/**
 * Loads the SQLite that is built into Node. Node 22, and 24 before 24.15, print a warning when it is loaded, because it is experimental.
 * This warning is suppressed, because operators read standard error. No other warning can be lost: loading is synchronous.
 */
import type * as sqlite from 'node:sqlite';

type NodeSqlite = typeof sqlite;

let loaded: NodeSqlite | undefined;

/** Node's SQLite, loaded at the first call. */
export function nodeSqlite(): NodeSqlite {
  loaded ??= loadQuietly();
  return loaded;
}

function loadQuietly(): NodeSqlite {
  const emitWarning = Reflect.get(process, 'emitWarning') as (...warning: unknown[]) => void;
  process.emitWarning = (...warning: unknown[]): void => {
    if (warning[1] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, warning);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
