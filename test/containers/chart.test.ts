/** Compares the rendered Helm chart with the manifests next to it and with the code that both deploy. */
import { RedisKeys } from '@longhaul/store-redis';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { textOf } from '../docs/documents.js';
import { apps, ownSecrets, readers, resource, type Resource, scaledApps } from './manifests/deployment-files.js';
import { helm, provideHelm } from './support/helm.js';

const BUILD_LIMIT_MS = 15 * 60_000;
const { LONGHAUL_SECRET: secret = '', LONGHAUL_TOKENS: tokens = '', LONGHAUL_OPS_TOKENS: opsTokens = '' } = ownSecrets;
/** The labels of a release's pods and objects, and the source of their images. */
const ONLY_IN_CHART = new Set([
  ...['instance', 'version', 'managed-by'].map((name) => `app.kubernetes.io/${name}`),
  'helm.sh/chart',
  'image',
  'imagePullPolicy',
  'annotations',
]);
const secrets = { redisUrl: 'redis://redis:6379', secret, tokens };
const operator = { enabled: true, tokens: opsTokens };

let program: string;
beforeAll(() => {
  program = provideHelm();
}, BUILD_LIMIT_MS);

function rendered(values: object = {}): Resource[] {
  const { ok, output } = helm(program, 'template', { secrets, ...values });
  expect(ok, output).toBe(true);
  return parseAllDocuments(output).flatMap((document) => {
    expect(document.errors).toEqual([]);
    return (document.toJS() as Resource | null) ?? [];
  });
}

function found(all: readonly Resource[], kind: string, name: string): Resource {
  const one = all.find((each) => each.kind === kind && each.metadata.name === name);
  if (one === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return one;
}

/** Without what only the chart has. */
function asInManifests(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, member: unknown) => (ONLY_IN_CHART.has(key) ? undefined : member)));
}

/** The environment of the process in a rendered pod. */
function environmentOf(all: readonly Resource[], app: string): Record<string, string> {
  const container = found(all, 'Deployment', `longhaul-${app}`).spec.template.spec.containers[0];
  const secretOf = (name: string) => found(all, 'Secret', name).stringData ?? {};
  const whole = (container?.envFrom ?? []).map(({ configMapRef, secretRef }) => ({
    ...(configMapRef && found(all, 'ConfigMap', configMapRef.name).data),
    ...(secretRef && secretRef.optional !== true && secretOf(secretRef.name)),
  }));
  const single = (container?.env ?? []).flatMap(({ name, value, valueFrom: from }) => {
    const text = value ?? secretOf('longhaul')[from?.secretKeyRef.key ?? ''];
    return text === undefined && from?.secretKeyRef.optional === true ? [] : [[name, text]];
  });
  return Object.assign({}, ...whole, Object.fromEntries(single)) as Record<string, string>;
}

describe('the chart', () => {
  it('passes the strict form of helm lint', () => {
    const { ok, output } = helm(program, 'lint', { secrets });
    expect(ok, output).toBe(true);
  });

  it('moves with the version of the project', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string };
    expect(textOf('deploy/helm/longhaul/Chart.yaml')).toMatch(new RegExp(`^version: ${version}\nappVersion: ${version}$`, 'm'));
  });

  it('makes the objects of the manifests', () => {
    const all = rendered({ ingress: { enabled: true }, operator });
    for (const app of apps) {
      const isScaled = scaledApps.some((scaled) => scaled === app);
      for (const kind of ['Deployment', 'NetworkPolicy', ...(isScaled ? ['PodDisruptionBudget', 'HorizontalPodAutoscaler'] : [])]) {
        const expected = structuredClone(resource(kind, `longhaul-${app}`));
        // How many there are is up to the autoscaler, which the manifests leave to who has an adapter.
        if (isScaled) delete expected.spec.replicas;
        expect(asInManifests(found(all, kind, `longhaul-${app}`)), `${kind} of the ${app}`).toEqual(asInManifests(expected));
      }
    }
    for (const app of ['gateway', 'operator'])
      expect(found(all, 'Service', `longhaul-${app}`)).toMatchObject(resource('Service', `longhaul-${app}`));
    for (const kind of ['Ingress', 'ConfigMap']) expect(found(all, kind, 'longhaul')).toMatchObject(resource(kind, 'longhaul'));
  });

  it.each(apps)('gives the %s settings and secrets that it takes', (app) => {
    const env = environmentOf(rendered({ settings: { LONGHAUL_KEY_PREFIX: 'mine' }, operator }), app);
    expect(() => readers[app](env)).not.toThrow();
    expect(env).toMatchObject({ REDIS_URL: 'redis://redis:6379', LONGHAUL_KEY_PREFIX: 'mine' });
    expect(env['LONGHAUL_TOKENS']).toBe(app === 'gateway' ? tokens : undefined);
    expect(env['LONGHAUL_OPS_TOKENS']).toBe(app === 'operator' ? opsTokens : undefined);
  });

  it('lets in everyone only when a value says so, and counts no proxy where it makes no Ingress', () => {
    const env = environmentOf(rendered({ secrets: { ...secrets, tokens: '', allowAnonymous: true } }), 'gateway');
    expect(readers.gateway(env)).not.toHaveProperty('tokens');
    expect(env).toMatchObject({ LONGHAUL_ALLOW_ANONYMOUS: '1', LONGHAUL_PROXY_HOPS: '0' });
  });

  it('needs no tokens with an authorization server', () => {
    const issuers = JSON.stringify([{ issuer: 'https://login.example.com' }]);
    const settings = { LONGHAUL_ISSUERS: issuers, LONGHAUL_PUBLIC_URL: 'https://mcp.example.com/mcp' };
    const env = environmentOf(rendered({ secrets: { ...secrets, tokens: '' }, settings }), 'gateway');
    expect(env).not.toHaveProperty('LONGHAUL_TOKENS');
    expect(env).not.toHaveProperty('LONGHAUL_ALLOW_ANONYMOUS');
    expect(readers.gateway(env).issuers).toMatchObject([{ issuer: 'https://login.example.com' }]);
  });

  it('lets nobody but its pods connect to the Redis that a value names', () => {
    const matchLabels = { 'app.kubernetes.io/name': 'valkey' };
    expect(rendered().filter(({ metadata }) => metadata.name === 'longhaul-redis')).toEqual([]);
    expect(found(rendered({ networkPolicy: { redis: { matchLabels } } }), 'NetworkPolicy', 'longhaul-redis').spec).toMatchObject({
      podSelector: { matchLabels },
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'longhaul', 'app.kubernetes.io/instance': 'longhaul' } } }],
          ports: [{ protocol: 'TCP', port: 6379 }],
        },
        { from: [{ podSelector: { matchLabels } }] },
      ],
    });
  });

  it('lets others connect to it whom a value names, such as the autoscaler', () => {
    const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'keda' } } }];
    const redis = { matchLabels: { app: 'redis' }, port: 6380, from };
    const { ingress } = found(rendered({ networkPolicy: { redis } }), 'NetworkPolicy', 'longhaul-redis').spec as unknown as {
      ingress: unknown[];
    };
    expect(ingress).toContainEqual({ from, ports: [{ protocol: 'TCP', port: 6380 }] });
  });

  it.each(apps)('gives the %s the keys of the store', (app) => {
    const keys = `2026-11=text:${'0f'.repeat(32)}`;
    const env = environmentOf(rendered({ secrets: { ...secrets, keys }, operator }), app);
    expect(readers[app](env).atRest?.keys).toMatchObject([{ name: '2026-11' }]);
    expect(environmentOf(rendered({ operator }), app)).not.toHaveProperty('LONGHAUL_KEYS');
  });

  it('gives secrets to those that need them', () => {
    const values = { oldSecrets: 'one-secret-of-before', otlpHeaders: 'authorization=abc', others: { INTROSPECTION_SECRET: 'mine' } };
    const all = rendered({ secrets: { ...secrets, ...values }, operator });
    const ofGateway = { LONGHAUL_OLD_SECRETS: values.oldSecrets, OTEL_EXPORTER_OTLP_HEADERS: values.otlpHeaders, ...values.others };
    expect(environmentOf(all, 'gateway')).toMatchObject(ofGateway);
    expect(environmentOf(all, 'worker')).toMatchObject({ OTEL_EXPORTER_OTLP_HEADERS: values.otlpHeaders });
    for (const app of ['worker', 'operator']) expect(environmentOf(all, app)).not.toHaveProperty('INTROSPECTION_SECRET');
  });

  it('takes a Secret of tools for workers, which has to be there when a value names it', () => {
    const envFrom = (values: object) => found(rendered(values), 'Deployment', 'longhaul-worker').spec.template.spec.containers[0]?.envFrom;
    expect(envFrom({})).toContainEqual({ secretRef: { name: 'longhaul-worker', optional: true } });
    expect(envFrom({ worker: { existingSecret: 'mine' } })).toContainEqual({ secretRef: { name: 'mine', optional: false } });
  });

  it('lets metrics be read by those whom a value names, at the port that the processes serve them on', () => {
    const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }];
    const all = rendered({ settings: { LONGHAUL_METRICS_PORT: '9464' }, networkPolicy: { metricsFrom: from } });
    for (const app of scaledApps) {
      const { ingress } = found(all, 'NetworkPolicy', `longhaul-${app}`).spec as unknown as { ingress: unknown[] };
      expect(ingress).toContainEqual({ from, ports: [{ protocol: 'TCP', port: 9464 }] });
      expect(environmentOf(all, app)).toMatchObject({ LONGHAUL_METRICS_HOST: '0.0.0.0' });
    }
  });

  it('takes a Secret that exists in place of one of its own', () => {
    const all = rendered({ secrets: { existing: 'mine' } });
    expect(all.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const [gateway] = found(all, 'Deployment', 'longhaul-gateway').spec.template.spec.containers;
    expect(gateway?.envFrom).toContainEqual({ secretRef: { name: 'mine' } });
    const [worker] = found(all, 'Deployment', 'longhaul-worker').spec.template.spec.containers;
    expect(worker?.env[0]?.valueFrom).toEqual({ secretKeyRef: { name: 'mine', key: 'REDIS_URL' } });
  });

  it('has the operator API only where a value says so, and lets in whom another one names', () => {
    expect(rendered().filter(({ metadata }) => metadata.name === 'longhaul-operator')).toEqual([]);
    const from = [{ podSelector: { matchLabels: { app: 'proxy' } } }];
    const all = rendered({ operator: { enabled: true, existingSecret: 'mine' }, networkPolicy: { operatorFrom: from } });
    expect(found(all, 'NetworkPolicy', 'longhaul-operator').spec).toMatchObject({
      ingress: [{ from, ports: [{ protocol: 'TCP', port: 'http' }] }],
    });
    const [container] = found(all, 'Deployment', 'longhaul-operator').spec.template.spec.containers;
    expect(container?.envFrom).toContainEqual({ secretRef: { name: 'mine' } });
    expect(all.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name)).toEqual(['longhaul']);
  });

  it('replaces the pods of the operator API when its tokens change', () => {
    const template = (tokens: string): string =>
      JSON.stringify(found(rendered({ operator: { ...operator, tokens } }), 'Deployment', 'longhaul-operator').spec.template);
    expect(template(opsTokens)).toBe(template(opsTokens));
    expect(template(opsTokens)).not.toBe(template(`${opsTokens},${opsTokens}`));
  });

  it('gives pods 20 s more than they take to drain', () => {
    const pod = found(rendered({ settings: { LONGHAUL_DRAIN_MS: '60000' } }), 'Deployment', 'longhaul-worker').spec.template.spec;
    expect(pod.terminationGracePeriodSeconds).toBe(80);
  });
});

describe('the autoscaling of workers', () => {
  it('is by the keys at which jobs wait, where there is KEDA', () => {
    const keda = { by: 'keda', keda: { address: 'redis:6379', authentication: 'redis' } };
    const all = rendered({ settings: { LONGHAUL_KEY_PREFIX: 'mine' }, worker: { autoscaling: keda } });
    expect(all.filter(({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name.endsWith('worker'))).toEqual([]);
    const keys = new RedisKeys('mine');
    expect(found(all, 'ScaledObject', 'longhaul-worker').spec).toMatchObject({
      scaleTargetRef: { name: 'longhaul-worker' },
      triggers: [`${keys.queuePrefix()}:tasks:wait`, keys.fairOrder().jobs].map((listName) => ({
        type: 'redis',
        metadata: { address: 'redis:6379', listName, listLength: '10', enableTLS: 'false' },
        authenticationRef: { name: 'redis' },
      })),
    });
  });

  it('is none with a number of replicas', () => {
    const all = rendered({
      worker: { replicas: 5, autoscaling: { by: 'none' } },
      gateway: { replicas: 3, autoscaling: { enabled: false } },
    });
    expect(all.filter(({ kind }) => kind.endsWith('Autoscaler'))).toEqual([]);
    expect(scaledApps.map((app) => found(all, 'Deployment', `longhaul-${app}`).spec.replicas)).toEqual([3, 5]);
  });
});

describe('a mistake in the values', () => {
  it.each<[title: string, values: object, line: string]>([
    ['no Redis', { secrets: {} }, 'Set secrets.redisUrl to the address of Redis'],
    ['no secret', { secrets: { ...secrets, secret: '' } }, 'Set secrets.secret to random characters'],
    ['nobody let in', { secrets: { ...secrets, tokens: '' } }, 'Set secrets.tokens to who is let in'],
    ['no operator let in', { secrets, operator: { enabled: true } }, 'Set operator.tokens to who may see every task'],
    [
      'no address for KEDA',
      { secrets, worker: { autoscaling: { by: 'keda' } } },
      'Set worker.autoscaling.keda.address to host:port of Redis',
    ],
    [
      'an autoscaler that there is not',
      { secrets, worker: { autoscaling: { by: 'queue' } } },
      "at '/worker/autoscaling/by': value must be one of",
    ],
    [
      'readers of metrics that nobody serves',
      { secrets, networkPolicy: { metricsFrom: [{ podSelector: {} }] } },
      'Set settings.LONGHAUL_METRICS_PORT to the port of metrics',
    ],
    ['a misspelt value', { secrets, setings: {} }, "additional properties 'setings' not allowed"],
    ['a number for a variable', { secrets, settings: { PORT: 1 } }, "at '/settings/PORT': got number, want string"],
  ])('(%s) is refused with a line that names it', (_title, values, line) => {
    const { ok, output } = helm(program, 'template', values);
    expect(ok).toBe(false);
    expect(output).toContain(line);
  });
});
