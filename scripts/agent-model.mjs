// `npm run agent:model [-- --port N]`: runs a very small model on this machine, to try the agent without a GPU or a key. It needs Python
// 3.11 or newer. Ctrl-C ends it.
import { parseArgs } from 'node:util';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { startTinyModel, TINY_MODEL } from './tiny-model.mjs';

requireNode();

const DEFAULT_PORT = '8080';

try {
  const { values } = parseArgs({ options: { port: { type: 'string', default: DEFAULT_PORT } } });
  const model = await startTinyModel(Number(values.port));
  process.stdout.write(`SmolLM2-135M answers at ${model.url} until Ctrl-C. In another terminal:

  export LONGHAUL_AGENT_BASE_URL=${model.url} LONGHAUL_AGENT_MODEL=${TINY_MODEL} LONGHAUL_AGENT_TOOL_MODE=schema
  npx longhaul agent "What is the date in Tokyo?"
`);
  const stop = () => void model.stop();
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await model.ended;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
