// `npm run docs:features`: writes docs/features.md and docs/internals/everything.md from the features of the built library.
// With `--print` it only prints them, one after the other.
import { readFileSync, writeFileSync } from 'node:fs';
import { everything } from '@longhaul/everything';
import { features as fetchFeatures } from '@longhaul/reference-servers/fetch';
import { gitTools } from '@longhaul/reference-servers/git';
import { features as memoryFeatures } from '@longhaul/reference-servers/memory';
import { features as thinkingFeatures } from '@longhaul/reference-servers/sequential-thinking';
import { features as timeFeatures } from '@longhaul/reference-servers/time';
import { format, resolveConfig } from 'prettier';
import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { MEANT_DIFFERENCES } from '../test/everything/meant-differences.ts';
import { differencesDocument, featuresDocument } from './features-document.mjs';
import { root } from './root.mjs';

requireNode();

const byDefault = new Set(everything().map(({ name }) => name));
const features = everything({ exposeEnv: true });
const onlyWith = new Map(features.filter(({ name }) => !byDefault.has(name)).map(({ name }) => [name, '`LONGHAUL_EXPOSE_ENV=1`']));
const packages = [
  packageOf('fetch', fetchFeatures),
  packageOf('git', gitTools({ roots: ['/'] })),
  packageOf('memory', memoryFeatures),
  packageOf('sequential-thinking', thinkingFeatures),
  packageOf('time', timeFeatures),
];
await write('docs/features.md', featuresDocument({ features, onlyWith, packages }));
await write('docs/internals/everything.md', differencesDocument(MEANT_DIFFERENCES));

/**
 * @param {string} document from the root of the repository
 * @param {string} markdown
 */
async function write(document, markdown) {
  const path = `${root}${document}`;
  const text = await format(markdown, { ...(await resolveConfig(path)), parser: 'markdown' });
  if (process.argv.includes('--print')) process.stdout.write(text);
  else writeFileSync(path, text);
}

/**
 * @param {string} name
 * @param {readonly import('@longhaul/mcp-features').Feature[]} packaged
 */
function packageOf(name, packaged) {
  const source = readFileSync(`${root}libs/reference-servers/src/${name}/settings.ts`, 'utf8');
  return { name, features: packaged, settings: [...new Set(source.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g))] };
}
