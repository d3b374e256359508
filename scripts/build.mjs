import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { build } from './tools.mjs';

requireNode();
process.exitCode = (await build()) ? 0 : 1;
