/** What belongs to one run of the suite. */
import { fileURLToPath } from 'node:url';

/** The folder that the images are built from. */
export const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** The tag of the images under test. */
export const imageTag = 'test';
export const gatewayImage = `longhaul-gateway:${imageTag}`;
export const workerImage = `longhaul-worker:${imageTag}`;
export const operatorImage = `longhaul-operator:${imageTag}`;
/** All in one. */
export const longhaulImage = `longhaul:${imageTag}`;

/** The configuration of nginx, as docker-compose.yml mounts it. */
export const NGINX_MOUNTS = ['nginx.conf', 'gateways.conf'].map((name) => ({
  source: `${repository}/deploy/nginx/${name}`,
  target: `/etc/nginx/${name}`,
  mode: 'ro' as const,
}));

/** Signs the ids of requests to clients, in all gateways. */
export const secret = 'known to all of these containers';

/** Names the run; what carries it in a label or as its Compose project is removed at the end, also after a crash. */
export function runId(): string {
  const id = process.env['LONGHAUL_TEST_RUN'];
  if (id === undefined) throw new Error('Run the container tests by `npm run test:containers`.');
  return id;
}

/** On everything that the suite makes. `org.testcontainers` is what other tools of this kind look for. */
export function runLabels(): Record<string, string> {
  return { 'longhaul.test-run': runId(), 'org.testcontainers': 'true' };
}
