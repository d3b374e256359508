/** The files that people deploy with, against the code that they deploy. Needs no Docker. */
import { readConfig as readGatewayConfig } from '@longhaul/gateway/config';
import { readConfig as readWorkerConfig } from '@longhaul/worker/config';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { RedisKeys } from '../../../libs/tasks/src/store/redis-keys.js';
import { pathsOf, section, tableRows, textOf } from '../../docs/documents.js';

interface Container {
  name: string;
  image: string;
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  livenessProbe: Probe;
  readinessProbe: Probe;
  startupProbe?: Probe;
  securityContext: unknown;
}

interface Probe {
  httpGet?: { path: string; port: string };
}

type Labels = Record<string, string>;

interface Pod {
  metadata: { labels: Labels };
  spec: { containers: Container[]; terminationGracePeriodSeconds: number };
}

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  resources?: string[];
  spec: { template: Pod; selector: Labels & { matchLabels: Labels }; ports: { targetPort: string }[]; scaleTargetRef: unknown };
}

interface ComposeService {
  image: string;
  build?: { target: string };
  environment?: Record<string, string>;
  stop_grace_period: string;
}

const paths = pathsOf('deploy/kubernetes/*.yaml');
const resources = paths.flatMap((path) =>
  parseAllDocuments(textOf(path)).map((document) => {
    expect(document.errors, path).toEqual([]);
    return document.toJS() as Resource;
  }),
);
const compose = parse(textOf('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };
const variables = new Set(tableRows(section('docs/configuration.md', 'Variables')).map(([name]) => name));
const readers = { gateway: readGatewayConfig, worker: readWorkerConfig } as const;
const apps = ['gateway', 'worker'] as const;

function resource(kind: string, name: string): Resource {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

function containerOf(app: string): Container {
  const [container] = resource('Deployment', `longhaul-${app}`).spec.template.spec.containers;
  if (container === undefined) throw new Error(`${app} has no container.`);
  return container;
}

/** What the process in the pod finds in its environment. */
function environmentOf(app: string): Record<string, string> {
  const { env, envFrom } = containerOf(app);
  const given: Record<string, string> = {};
  for (const { configMapRef, secretRef } of envFrom) {
    if (configMapRef !== undefined) Object.assign(given, resource('ConfigMap', configMapRef.name).data);
    if (secretRef !== undefined) Object.assign(given, resource('Secret', secretRef.name).stringData);
  }
  for (const { name, value, valueFrom } of env) {
    const ref = valueFrom?.secretKeyRef;
    given[name] = ref === undefined ? (value ?? '') : (resource('Secret', ref.name).stringData?.[ref.key] ?? '');
  }
  return given;
}

/** The environment of a service, with the defaults of `${NAME:-default}` and something for `${NAME:?message}`. */
function composeEnvironmentOf(app: string): Record<string, string> {
  const entries = Object.entries(compose.services[app]?.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, withDefaults(value)]));
}

function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:-([^}]*)\}/, '$1').replace(/\$\{\w+:\?[^}]*\}/, 'x'.repeat(32));
}

function seconds(text: string): number {
  return Number(/^(\d+)s$/.exec(withDefaults(text))?.[1]);
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

  it('are what budget, autoscaler and service select', () => {
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
    expect([...applied, 'ingress.yaml', 'kustomization.yaml', 'workers-by-queue.yaml'].toSorted()).toEqual(files);
  });

  it('send traffic and probes to the port on which the gateway listens', () => {
    const { ports, livenessProbe, readinessProbe, startupProbe } = containerOf('gateway');
    expect(ports).toEqual([{ name: 'http', containerPort: readGatewayConfig(environmentOf('gateway')).port }]);
    const service = resource('Service', 'longhaul-gateway').spec;
    expect(service.selector).toEqual(resource('Deployment', 'longhaul-gateway').spec.template.metadata.labels);
    expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    const routes = textOf('apps/gateway/src/health-routes.ts');
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

  it('let in the name of the Ingress and refuse others', () => {
    const hosts = readGatewayConfig(environmentOf('gateway')).allowedHosts;
    const [rule] = (resource('Ingress', 'longhaul').spec as unknown as { rules: { host: string }[] }).rules;
    expect(hosts).toContain(rule?.host);
    expect(hosts).not.toContain('*');
  });

  it('scale workers by the key at which their jobs wait', () => {
    const key = `${new RedisKeys().queuePrefix()}:tasks:wait`;
    expect(textOf('deploy/kubernetes/workers-by-queue.yaml')).toContain(`\`${key}\``);
    const rules = section('docs/deployment.md', 'Workers by the length of the queue');
    expect(rules).toContain(key);
    expect(rules).toContain('longhaul_queue_waiting');
  });
});

describe('the Dockerfile', () => {
  it('labels the images with the version of the project', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(textOf('Dockerfile')).toContain(`ARG VERSION=${version}\n`);
  });

  it('starts from the official images only, and asks nothing of the builder that the classic one lacks', () => {
    const instructions = textOf('Dockerfile').replaceAll(/^#.*$/gm, '');
    const stages = [...instructions.matchAll(/^FROM (\S+) AS (\S+)$/gm)].map(([, from = '', name = '']) => ({ from, name }));
    const names = new Set(stages.map(({ name }) => name));
    expect(new Set(stages.map(({ from }) => from).filter((from) => !names.has(from)))).toEqual(new Set(['node:24-slim']));
    expect(instructions).not.toMatch(/--mount|--link|--chmod|<<|--platform/);
  });
});
