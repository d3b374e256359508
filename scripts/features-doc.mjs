// `npm run docs:features`: writes docs/features.md from the features of the built library. With `--print` it only prints it.
import { writeFileSync } from 'node:fs';
import { everything } from '@longhaul/everything';
import { format, resolveConfig } from 'prettier';
import { requireNode } from '../bin/node-version.mjs';
import { MEANT_DIFFERENCES } from '../test/everything/meant-differences.ts';
import { featuresDocument } from './features-document.mjs';
import { root } from './tools.mjs';

requireNode();

const path = `${root}docs/features.md`;
const byDefault = new Set(everything().map(({ name }) => name));
const features = everything({ exposeEnv: true });
const onlyWith = new Map(features.filter(({ name }) => !byDefault.has(name)).map(({ name }) => [name, '`LONGHAUL_EXPOSE_ENV=1`']));
const markdown = featuresDocument({ features, onlyWith, differences: MEANT_DIFFERENCES });
const text = await format(markdown, { ...(await resolveConfig(path)), parser: 'markdown' });
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(path, text);
