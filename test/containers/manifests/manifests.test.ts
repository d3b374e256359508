/** Compares deployment files with the code that they deploy. It needs no Docker. */
import { readConfig as readGatewayConfig } from '@longhaul/gateway/config';
import { RedisKeys } from '@longhaul/store-redis';
import { readConfig as readOperatorConfig } from '@longhaul/operator/config';
import { readConfig as readWorkerConfig } from '@longhaul/worker/config';
import { NODE_FLAGS } from '@longhaul/runtime/node-flags';
import { describe, expect, it } from 'vitest';
import { section, textOf } from '../../docs/documents.js';
import {
  apps,
  compose,
  composeEnvironmentOf,
  containerOf,
  environmentOf,
  interpolated,
  paths,
  readers,
  resource,
  resources,
  scaledApps,
  variables,
} from './deployment-files.js';

function seconds(text: string): number {
  return Number(/^(\d+)s$/.exec(interpolated(text))?.[1]);
}

describe.each(apps)('the Deployment and the service of the %s', (app) => {
  it('set variables that the code reads, to values that it takes', () => {
    for (const env of [environmentOf(app), composeEnvironmentOf(app)]) {
      expect(Object.keys(env).filter((name) => !variables.has(name))).toEqual([]);
      expect(() => readers[app](env)).not.toThrow();
      expect(readers[app](env).redisUrl).toBe('redis://redis:6379');
    }
  });

  it('give it more time to end than it takes to drain', () => {
    const { terminationGracePeriodSeconds } = resource('Deployment', `longhaul-${app}`).spec.template.spec;
    const preStop = Number(containerOf(app).lifecycle?.preStop.exec.command.at(-1) ?? 0);
    expect(terminationGracePeriodSeconds - preStop).toBeGreaterThan(readers[app](environmentOf(app)).drainMs / 1_000 + 4);
    const grace = seconds(compose.services[app]?.stop_grace_period ?? '');
    expect(grace).toBeGreaterThan(readers[app](composeEnvironmentOf(app)).drainMs / 1_000 + 4);
  });

  it('use an image that the Dockerfile builds', () => {
    expect(textOf('Dockerfile')).toContain(` AS ${app}\n`);
    expect(containerOf(app).image).toBe(`longhaul-${app}:latest`);
    expect(compose.services[app]).toMatchObject({ image: `longhaul-${app}:\${LONGHAUL_TAG:-latest}`, build: { target: app } });
  });

  it('let it write nothing and gain nothing', () => {
    expect(containerOf(app).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(compose.services[app]).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true });
  });
});

describe.each(scaledApps)('the Deployment of the %s', (app) => {
  it('is what budget and autoscaler select', () => {
    const { spec } = resource('Deployment', `longhaul-${app}`);
    const { labels } = spec.template.metadata;
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(resource('PodDisruptionBudget', `longhaul-${app}`).spec.selector.matchLabels).toEqual(labels);
    expect(resource('HorizontalPodAutoscaler', `longhaul-${app}`).spec.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: `longhaul-${app}`,
    });
  });
});

describe('the manifests', () => {
  it('are all applied by the kustomization, but for those that need more', () => {
    const applied = resources.find(({ kind }) => kind === 'Kustomization')?.resources ?? [];
    const files = paths.map((path) => path.replace('deploy/kubernetes/', ''));
    const leftOut = ['external-secret.yaml', 'ingress.yaml', 'operator.yaml', 'redis-network-policy.yaml', 'workers-by-queue.yaml'];
    expect([...applied, ...leftOut, 'kustomization.yaml'].toSorted()).toEqual(files);
    const comment = textOf('deploy/kubernetes/kustomization.yaml').replaceAll(/^[^#].*$/gm, '');
    for (const file of leftOut) expect(comment).toContain(file);
  });

  it('send traffic and probes to the port on which the gateway listens', () => {
    const { ports, livenessProbe, readinessProbe, startupProbe } = containerOf('gateway');
    expect(ports).toEqual([{ name: 'http', containerPort: readGatewayConfig(environmentOf('gateway')).port }]);
    const service = resource('Service', 'longhaul-gateway').spec;
    expect(service.selector).toEqual(resource('Deployment', 'longhaul-gateway').spec.template.metadata.labels);
    expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    const routes = textOf('apps/gateway/src/http/health-routes.ts');
    for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
      expect(probe?.httpGet?.port).toBe('http');
      expect(routes).toContain(`app.get('${probe?.httpGet?.path.split('?')[0]}'`);
    }
  });

  it('send probes to the port on which the worker answers them, at the address of its pod', () => {
    const { ports, livenessProbe, readinessProbe, startupProbe } = containerOf('worker');
    const { host, healthPort } = readWorkerConfig(environmentOf('worker'));
    expect(ports).toEqual([{ name: 'health', containerPort: healthPort }]);
    expect(host).toBe('0.0.0.0');
    const routes = textOf('apps/worker/src/health.ts');
    for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
      expect(probe?.httpGet?.port).toBe('health');
      expect(routes).toContain(`app.get('${probe?.httpGet?.path}'`);
    }
  });

  it('send traffic and probes to the port on which the operator API listens, under a name that it serves', () => {
    const { ports, livenessProbe, readinessProbe, startupProbe } = containerOf('operator');
    const { opsPort, opsHost } = readOperatorConfig(environmentOf('operator'));
    expect(ports).toEqual([{ name: 'http', containerPort: opsPort }]);
    expect(opsHost).toBe('0.0.0.0');
    const service = resource('Service', 'longhaul-operator').spec;
    expect(service.selector).toEqual(resource('Deployment', 'longhaul-operator').spec.template.metadata.labels);
    const routes = textOf('apps/operator/src/app.ts');
    for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
      expect(probe?.httpGet).toMatchObject({ port: 'http', httpHeaders: [{ name: 'Host', value: 'localhost' }] });
      expect(routes).toContain(`app.get('${probe?.httpGet?.path}'`);
    }
  });

  it('let in the name of the Ingress and refuse others', () => {
    const hosts = readGatewayConfig(environmentOf('gateway')).allowedHosts;
    const [rule] = (resource('Ingress', 'longhaul').spec as unknown as { rules: { host: string }[] }).rules;
    expect(hosts).toContain(rule?.host);
    expect(hosts).not.toContain('*');
  });

  it('scale workers by the keys at which their jobs wait', () => {
    const keys = new RedisKeys();
    const rules = section('docs/kubernetes.md', 'Workers by the length of the queue');
    for (const key of [`${keys.queuePrefix()}:tasks:wait`, keys.fairOrder().jobs]) {
      expect(textOf('deploy/kubernetes/workers-by-queue.yaml')).toContain(`\`${key}\``);
      expect(rules).toContain(key);
    }
    expect(rules).toContain('longhaul_queue_waiting');
  });
});

describe('the bake file', () => {
  it('builds each image that there is, for two architectures, with attestations, and with the version of the project', () => {
    const bake = textOf('docker-bake.hcl');
    const images = [...textOf('Dockerfile').matchAll(/org\.opencontainers\.image\.title="(?:longhaul-)?(\w+)"/g)].map(([, name]) => name);
    expect(/matrix += \{ image = (\[.*\]) \}/.exec(bake)?.[1]).toBe(JSON.stringify(images).replaceAll(',', ', '));
    expect(bake).toContain('platforms = ["linux/amd64", "linux/arm64"]');
    expect(bake).toContain('attest    = ["type=sbom", "type=provenance,mode=max"]');
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(bake).toContain(`variable "VERSION" {\n  default = "${version}"\n}`);
  });
});

describe('the Dockerfile', () => {
  it('starts Node as the command does', () => {
    expect(textOf('Dockerfile')).toContain(` NODE_OPTIONS=${NODE_FLAGS.join(' ')}\n`);
  });

  it('labels the images with the version of the project', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(textOf('Dockerfile')).toContain(`ARG VERSION=${version}\n`);
  });

  it('starts from the official images only, and asks nothing of the builder that the classic one lacks', () => {
    const instructions = textOf('Dockerfile').replaceAll(/^#.*$/gm, '');
    const stages = [...instructions.matchAll(/^FROM (\S+) AS (\S+)$/gm)].map(([, from = '', name = '']) => ({
      from: from.replace(/@sha256:.*/, ''),
      name,
    }));
    const names = new Set(stages.map(({ name }) => name));
    expect(new Set(stages.map(({ from }) => from).filter((from) => !names.has(from)))).toEqual(new Set(['node:24-slim']));
    expect(instructions).not.toMatch(/--mount|--link|--chmod|<<|--platform/);
  });
});
