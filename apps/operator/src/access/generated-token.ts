import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@longhaul/runtime/environment';

const FILE = 'operator.token';

/** The token of the data folder, and the file that contains it. */
export interface GeneratedToken {
  readonly token: string;
  readonly path: string;
}

/**
 * The token that is used while none is configured: made once, and kept in a file that only its owner may read.
 *
 * @throws ConfigError without a data folder
 */
export async function generatedToken(dataDir: string | undefined): Promise<GeneratedToken> {
  if (dataDir === undefined)
    throw new ConfigError('LONGHAUL_OPS_TOKENS is not set, and without LONGHAUL_DATA_DIR there is no folder to keep a token in.');
  const path = join(dataDir, FILE);
  await mkdir(dataDir, { recursive: true });
  try {
    // If processes start at the same time, one makes the file and the others read it.
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    await chmod(path, 0o600);
  }
  const token = (await readFile(path, 'utf8')).trim();
  if (token.length < 16) throw new ConfigError(`${path} holds no token: remove it, and another one is made.`);
  return { token, path };
}
