/** Tests whom deployment files let in, and what they pass on. It needs no Docker. */
import { describe, expect, it } from 'vitest';
import { textOf } from '../../docs/documents.js';
import {
  apps,
  compose,
  composeEnvironmentOf,
  containerOf,
  environmentOf,
  ownSecrets,
  readers,
  resource,
  resources,
  variables,
} from './deployment-files.js';

/** The settings that a file decides itself, because another part of it depends on them. */
const FIXED = {
  compose: [
    'REDIS_URL',
    'LONGHAUL_REDIS_CLUSTER',
    'LONGHAUL_DATA_DIR',
    'LONGHAUL_SQLITE_SYNC',
    'LONGHAUL_SQLITE_MAX_BYTES',
    'NODE_ENV',
    'HOST',
    'PORT',
    'LONGHAUL_HEALTH_PORT',
    'LONGHAUL_OPS_HOST',
    'LONGHAUL_OPS_PORT',
  ],
  kubernetes: ['HOST', 'PORT', 'LONGHAUL_HEALTH_PORT', 'LONGHAUL_OPS_HOST', 'LONGHAUL_OPS_PORT'],
};

describe.each(apps)('the %s', (app) => {
  const documented = [...variables].filter(([, readBy]) => readBy.includes(app)).map(([name]) => name);

  it('gets every documented variable from the shell or .env by Compose, but for those that the file decides', () => {
    const env = Object.fromEntries(documented.map((name) => [name, `value of ${name}`]));
    const passedOn = Object.entries(composeEnvironmentOf(app, env)).filter(([name, value]) => value === env[name]);
    expect(passedOn.map(([name]) => name).toSorted()).toEqual(documented.filter((name) => !FIXED.compose.includes(name)).toSorted());
  });

  it('gets every documented variable from the ConfigMap, but for those that the manifests decide', () => {
    const env = Object.fromEntries(documented.map((name) => [name, `value of ${name}`]));
    const passedOn = Object.entries(environmentOf(app, env, env)).filter(([name, value]) => value === env[name]);
    expect(passedOn.map(([name]) => name).toSorted()).toEqual(documented.filter((name) => !FIXED.kubernetes.includes(name)).toSorted());
  });

  it('may write to /tmp and nowhere else', () => {
    expect(containerOf(app).volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }]);
    expect(resource('Deployment', `longhaul-${app}`).spec.template.spec.volumes).toEqual([
      { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
    ]);
    expect(compose.services[app]).toMatchObject({ read_only: true, tmpfs: ['/tmp'] });
  });

  it('is reached by nothing that its NetworkPolicy does not name', () => {
    const { labels } = resource('Deployment', `longhaul-${app}`).spec.template.metadata;
    const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }];
    expect(resource('NetworkPolicy', `longhaul-${app}`).spec).toEqual({
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress'],
      ingress: app === 'gateway' ? [{ from, ports: [{ protocol: 'TCP', port: 'http' }] }] : [],
    });
  });
});

describe('Redis', () => {
  it('is reached by nothing but the three apps and its own pods, where a policy says so', () => {
    const labels = apps.map((app) => resource('Deployment', `longhaul-${app}`).spec.template.metadata.labels['app.kubernetes.io/name']);
    expect(new Set(labels)).toEqual(new Set(['longhaul']));
    expect(resource('NetworkPolicy', 'longhaul-redis').spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'redis' } },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'longhaul' } } }],
          ports: [{ protocol: 'TCP', port: 6379 }],
        },
        // Replication, the bus of a cluster, Sentinel.
        { from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'redis' } } }] },
      ],
    });
  });

  it('is cut off from nothing where nobody has asked for it: it is not among the manifests', () => {
    const applied = resources.find(({ kind }) => kind === 'Kustomization')?.resources ?? [];
    expect(applied).toContain('network-policy.yaml');
    expect(textOf('deploy/kubernetes/network-policy.yaml')).not.toContain('longhaul-redis');
    expect(applied).not.toContain('redis-network-policy.yaml');
  });
});

describe('secrets', () => {
  it('stand in no manifest: what does is refused as a placeholder, or is read from a store', () => {
    const kept = (name: string) => Object.keys(resource('Secret', name).stringData ?? {});
    for (const name of ['longhaul', 'longhaul-operator']) {
      const { target, data } = resource('ExternalSecret', name).spec as unknown as {
        target: { name: string };
        data: { secretKey: string; remoteRef: { property: string } }[];
      };
      expect(target.name).toBe(name);
      expect(data.map(({ secretKey }) => secretKey).toSorted()).toEqual(kept(name).toSorted());
      for (const { secretKey, remoteRef } of data) expect(remoteRef.property).toBe(secretKey);
    }
  });
});

describe('a gateway', () => {
  const { LONGHAUL_SECRET = '', LONGHAUL_TOKENS = '' } = ownSecrets;

  it('lets in those whom LONGHAUL_TOKENS names', () => {
    for (const env of [environmentOf('gateway'), composeEnvironmentOf('gateway')]) {
      expect(env).not.toHaveProperty('LONGHAUL_ALLOW_ANONYMOUS');
      expect([...(readers.gateway(env).tokens ?? [])]).toEqual([[LONGHAUL_TOKENS.slice('ada:'.length), 'ada']]);
    }
  });

  it('lets in nobody and does not start when the variable is misspelt', () => {
    const misspelt = composeEnvironmentOf('gateway', { LONGHAUL_SECRET, LONGHAUL_TOKEN: LONGHAUL_TOKENS });
    expect(() => readers.gateway(misspelt)).toThrow(/^HOST=0\.0\.0\.0: must be a loopback address.*LONGHAUL_ALLOW_ANONYMOUS=1/m);
  });

  it('lets in everyone only when LONGHAUL_ALLOW_ANONYMOUS is set', () => {
    const settings = { LONGHAUL_SECRET, LONGHAUL_ALLOW_ANONYMOUS: '1' };
    expect(readers.gateway(composeEnvironmentOf('gateway', settings))).not.toHaveProperty('tokens');
    expect(() => readers.gateway(composeEnvironmentOf('gateway', { ...settings, LONGHAUL_TOKENS }))).toThrow(
      /^LONGHAUL_ALLOW_ANONYMOUS=1: /m,
    );
  });

  it('does not start with the placeholders of the manifests', () => {
    expect(() => readers.gateway(environmentOf('gateway', {}, {}))).toThrow(
      /^LONGHAUL_SECRET: is a placeholder: [^\n]*\nLONGHAUL_TOKENS: has a placeholder as the token of name: [^\n]*$/,
    );
  });
});

describe('the operator API', () => {
  it('lets in those whom LONGHAUL_OPS_TOKENS names, and does not start when it names nobody', () => {
    for (const environment of [
      environmentOf,
      (app: string, _settings: object, secrets: Record<string, string>) => composeEnvironmentOf(app, secrets),
    ]) {
      expect([...(readers.operator(environment('operator', {}, ownSecrets)).opsTokens?.values() ?? [])]).toEqual([
        { name: 'ada', role: 'operate' },
      ]);
      expect(() => readers.operator(environment('operator', {}, { LONGHAUL_OPS_TOKENS: '' }))).toThrow(/LONGHAUL_OPS_(TOKENS|HOST)/);
    }
  });

  it('does not start with the placeholder of the manifests', () => {
    expect(() => readers.operator(environmentOf('operator', {}, {}))).toThrow(
      /^LONGHAUL_OPS_TOKENS: has a placeholder as the token of name/,
    );
  });

  it('has its tokens to itself, and is reached by nothing but a port of the machine and what is forwarded to it', () => {
    for (const app of ['gateway', 'worker'] as const) {
      expect(environmentOf(app, {}, {})).not.toHaveProperty('LONGHAUL_OPS_TOKENS');
      expect(composeEnvironmentOf(app)).not.toHaveProperty('LONGHAUL_OPS_TOKENS');
    }
    expect(environmentOf('operator', {}, {})).not.toHaveProperty('LONGHAUL_SECRET');
    expect(compose.services['operator']).toMatchObject({ profiles: ['operator'], ports: ['127.0.0.1:${LONGHAUL_OPS_PORT:-3010}:3010'] });
    expect(resource('Service', 'longhaul-operator').spec.type).toBe('ClusterIP');
    expect(textOf('deploy/kubernetes/ingress.yaml')).not.toContain('operator');
  });
});

describe('a container that is unhealthy for good', () => {
  it('is replaced, because what checks it ends it and it is started again', () => {
    expect(textOf('Dockerfile')).toMatch(/HEALTHCHECK .*CMD \["node", "apps\/gateway\/dist\/health-check\.js"\]/);
    expect(JSON.stringify(compose.services['nginx'])).toContain('kill -KILL');
    for (const service of ['gateway', 'worker', 'nginx'])
      expect(compose.services[service]).toMatchObject({ init: true, restart: 'unless-stopped' });
  });
});
