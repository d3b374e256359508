/** Tests the secrets in deployment files: each reaches every process that needs it, and no other. It needs no Docker. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { textOf } from '../../docs/documents.js';
import { apps, composeEnvironmentOf, containerOf, environmentOf, ownSecrets, readers, scaledApps } from './deployment-files.js';

const LONGHAUL_KEYS = `2026-11=text:${'0f'.repeat(32)}`;
const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20abc';

describe.each(apps)('the %s', (app) => {
  it('reads the keys that the Secret has, without which it cannot read what the others have encrypted', () => {
    const env = environmentOf(app, {}, { ...ownSecrets, LONGHAUL_KEYS });
    expect(readers[app](env).atRest?.keys.map(({ name }) => name)).toEqual(['2026-11']);
    if (app !== 'gateway') {
      const secretKeyRef = { name: 'longhaul', key: 'LONGHAUL_KEYS', optional: true };
      expect(containerOf(app).env).toContainEqual({ name: 'LONGHAUL_KEYS', valueFrom: { secretKeyRef } });
    }
    expect(readers[app](composeEnvironmentOf(app, { ...ownSecrets, LONGHAUL_KEYS })).atRest).toEqual(readers[app](env).atRest);
  });

  it('reads those of the ConfigMap where the Secret has none, and starts without any', () => {
    const keys = { LONGHAUL_KEYS: '2026-11=file:/run/secrets/2026-11' };
    expect(readers[app](environmentOf(app, keys)).atRest?.keys).toEqual([{ name: '2026-11', kind: 'file', value: '/run/secrets/2026-11' }]);
    expect(readers[app](environmentOf(app))).not.toHaveProperty('atRest');
  });
});

describe.each(apps)('the %s', (app) => {
  it('reads the webhooks that the Secret has', () => {
    const LONGHAUL_WEBHOOKS = textOf('docs/examples/webhooks.json');
    const env = environmentOf(app, {}, { ...ownSecrets, LONGHAUL_WEBHOOKS });
    expect(Object.keys(readers[app](env).webhooks?.endpoints ?? {})).toEqual(['crm']);
    expect(readers[app](composeEnvironmentOf(app, { ...ownSecrets, LONGHAUL_WEBHOOKS })).webhooks).toEqual(readers[app](env).webhooks);
  });
});

describe.each(scaledApps)('the %s', (app) => {
  it('sends traces and metrics with the headers that the Secret has', () => {
    expect(environmentOf(app, {}, { ...ownSecrets, OTEL_EXPORTER_OTLP_HEADERS })).toMatchObject({ OTEL_EXPORTER_OTLP_HEADERS });
  });
});

describe('the Secret of tools', () => {
  it('is given to workers alone, and need not be there', () => {
    const tools = { secretRef: { name: 'longhaul-worker', optional: true } };
    expect(containerOf('worker').envFrom).toContainEqual(tools);
    for (const app of ['gateway', 'operator'] as const) expect(containerOf(app).envFrom).not.toContainEqual(tools);
  });
});

describe('the examples of a Secret', () => {
  it.each(['settings.yaml', 'external-secret.yaml'])('name in %s what may be in it beside what has to be', (file) => {
    for (const name of ['LONGHAUL_KEYS', 'LONGHAUL_WEBHOOKS', 'LONGHAUL_OLD_SECRETS', 'OTEL_EXPORTER_OTLP_HEADERS'])
      expect(textOf(`deploy/kubernetes/${file}`)).toMatch(new RegExp(`^ *# .*${name}:?`, 'm'));
  });
});

describe('a key in a file, with Compose', () => {
  /** The compose file with the lines for it, as the comments say. */
  const text = textOf('docker-compose.yml').replaceAll(/^( *)# (secrets:.*|  '2026-11': .*)$/gm, '$1$2');
  const { services, secrets } = parse(text, { merge: true }) as {
    services: Record<string, { secrets?: string[] }>;
    secrets?: Record<string, { file: string }>;
  };

  it('is mounted in every process that reads it, and in no other, once its lines are no comments any more', () => {
    expect(secrets).toEqual({ '2026-11': { file: './keys/2026-11' } });
    const readBy = Object.entries(services).filter(([, service]) => service.secrets?.includes('2026-11') === true);
    expect(readBy.map(([name]) => name).toSorted()).toEqual([...apps].toSorted());
  });

  it('is where the document says', () => {
    expect(textOf('docs/at-rest.md')).toContain('LONGHAUL_KEYS=2026-11=file:/run/secrets/2026-11');
  });
});
