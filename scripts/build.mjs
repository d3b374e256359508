import { requireNode } from '../bin/node-version.mjs';
import { build } from './tools.mjs';

requireNode();
process.exitCode = (await build()) ? 0 : 1;
