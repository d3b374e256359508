// Packs the published packages.
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

import { npm } from './npm.mjs';
import { stage } from './stage.mjs';
import { publishedWorkspaces } from './workspaces.mjs';

/** @typedef {{ readonly name: string, readonly version: string, readonly file: string, readonly folder: string }} Package its tarball, and what is in it */

/**
 * Packs every package. They must be compiled.
 *
 * @param {string} target the folder for the tarballs, which is emptied
 * @returns {Promise<readonly Package[]>}
 */
export async function packAll(target) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  return Promise.all(
    publishedWorkspaces().map(async (workspace) => {
      const folder = join(target, 'folders', basename(workspace.folder));
      await stage(workspace, folder);
      const [report] = JSON.parse(await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', target], folder));
      return { name: report.name, version: report.version, file: join(target, report.filename), folder };
    }),
  );
}
