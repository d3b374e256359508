// Serves SmolLM2-135M as an OpenAI-compatible endpoint on this machine, in its own Python environment.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

import { installPython } from '../test/support/python-environment.ts';
import { root } from './root.mjs';

const PYTHON = join(root, 'test/agent/python');

const POLL_MS = 100;

/** The model's name at the endpoint. */
export const TINY_MODEL = 'smollm2';

/**
 * Installs it, unless it is there (a download of some 150 MB), and starts it.
 *
 * @param {number} port 0 for one that is free
 * @returns {Promise<{ url: string, ended: Promise<unknown>, stop(): Promise<void> }>} a base URL, with `/v1`
 * @throws Error where there is no Python, or it does not start
 */
export async function startTinyModel(port) {
  const python = installPython(join(PYTHON, 'model.txt'));
  const child = spawn(python, [join(PYTHON, 'model.py'), String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const listens = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
  const address = await Promise.race([listens, ended.then(() => undefined)]);
  if (address === undefined) throw new Error(`The model did not start on port ${port}.`);
  // It listens before it has loaded the model.
  while (!(await fetch(`${address}/health`)).ok) await setTimeout(POLL_MS);
  return {
    url: `${address}/v1`,
    ended,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
