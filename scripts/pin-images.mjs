// `npm run release:pin`: names external images in the Dockerfiles and the compose file by the current digests of their registry. It needs
// Docker with buildx, and a reachable registry. It commits nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { imagesIn, pinned } from './packages/pin-images.mjs';
import { root } from './root.mjs';

const FILES = ['Dockerfile', 'deploy/authorization-server/Dockerfile', 'docker-compose.yml'];

/** @param {string} image */
function digestOf(image) {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  return execFileSync('docker', args, { encoding: 'utf8' }).trim();
}

const texts = FILES.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const digests = new Map([...new Set(texts.flatMap(({ text }) => imagesIn(text)))].map((image) => [image, digestOf(image)]));
for (const { file, text } of texts) writeFileSync(join(root, file), pinned(text, digests));
for (const [image, digest] of digests) process.stdout.write(`${image}@${digest}\n`);
