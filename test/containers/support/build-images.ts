/** Builds the images once for all test files. They stay, so that the next run only builds what has changed. */
import { GenericContainer } from 'testcontainers';
import { gatewayImage, longhaulImage, operatorImage, repository, workerImage } from './run.js';

/** Called by Vitest before the first test file. */
export async function setup(): Promise<void> {
  for (const [target, image] of [
    ['gateway', gatewayImage],
    ['worker', workerImage],
    ['operator', operatorImage],
    ['longhaul', longhaulImage],
  ] as const) {
    const startedAt = performance.now();
    await GenericContainer.fromDockerfile(repository).withTarget(target).build(image, { deleteOnExit: false });
    process.stdout.write(`built ${image} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`);
  }
}
