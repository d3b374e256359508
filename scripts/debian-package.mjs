// Installs Debian's packages for dependencies of the tests that the lock file cannot contain.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { run } from './tools.mjs';

const APT_GET = '/usr/bin/apt-get';
const POLICY = '/usr/sbin/policy-rc.d';

/**
 * Installs a package, without starting a service that it has.
 *
 * @param {string} name
 * @returns {Promise<boolean>} false if it cannot be installed: not as root, without apt-get, or without network
 */
export async function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || !existsSync(APT_GET)) return false;
  process.stdout.write(`Installing Debian's package ${name}, which is needed here.\n`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // Debian starts a service right after installing it, unless this file forbids it.
  const forbidden = existsSync(POLICY);
  if (!forbidden) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await run(APT_GET, ['update', '-qq'], env);
    return (await run(APT_GET, ['install', '-y', '-qq', '--no-install-recommends', name], env)) === 0;
  } finally {
    if (!forbidden) rmSync(POLICY);
  }
}

/** @param {string} program */
export function isOnPath(program) {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
