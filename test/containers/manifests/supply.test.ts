/** Tests the permissions of containers in deployment files, and the sources of build tools. It needs no Docker. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pathsOf, textOf } from '../../docs/documents.js';

interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly deploy?: { readonly resources: { readonly limits: { readonly memory?: string; readonly cpus?: string } } };
}

const TEMPLATE = 'packages/create-longhaul/template/compose.yaml';

function servicesOf(path: string): [string, Service][] {
  const { services } = parse(textOf(path), { merge: true }) as { services: Record<string, Service> };
  return Object.entries(services).filter(([, { profiles = [] }]) => profiles.every((profile) => ['operator', 'auth'].includes(profile)));
}

describe.each(['docker-compose.yml', TEMPLATE])('each service of %s', (path) => {
  it.each(servicesOf(path))('%s writes nowhere but to its volumes and /tmp, and has no capabilities and a limit', (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service).toHaveProperty('tmpfs', [expect.stringMatching(/^\/tmp(:|$)/)]);
    expect(service.deploy?.resources.limits.memory).toMatch(/^\d+[mg]$/);
    expect(service.deploy?.resources.limits.cpus).toMatch(/^\d+\.\d$/);
  });

  it.each(servicesOf(path))('%s is published on this machine only', (_name, { ports = [] }) => {
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});

describe('nginx', () => {
  const { nginx } = (parse(textOf('docker-compose.yml'), { merge: true }) as { services: { nginx: Service & { tmpfs: string[] } } })
    .services;
  const config = textOf('deploy/nginx/nginx.conf');
  const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

  it('has room for all bodies that it lets in, in memory that is larger than that', () => {
    const bodies = numberIn(config, /limit_conn bodies (\d+);/) * numberIn(config, /client_max_body_size (\d+)m;/);
    const room = numberIn(nginx.tmpfs[0] ?? '', /size=(\d+)m/);
    expect(room).toBeGreaterThan(bodies);
    const kilobytes = 56 * numberIn(config, /worker_processes (\d+);/) * numberIn(config, /worker_connections (\d+);/);
    expect(Number.parseInt(nginx.deploy?.resources.limits.memory ?? '', 10)).toBeGreaterThan(room + kilobytes / 1_024);
  });

  it('takes bodies as large as a gateway does by default, and so do the annotations for ingress-nginx', () => {
    const mebibytes = numberIn(textOf('docs/configuration.md'), /^\| `LONGHAUL_BODY_LIMIT_BYTES` +\| `(\d+)`/m) / 2 ** 20;
    expect(numberIn(config, /client_max_body_size (\d+)m;/)).toBe(mebibytes);
    for (const path of ['deploy/helm/longhaul/values.yaml', 'deploy/kubernetes/ingress.yaml'])
      expect(textOf(path)).toContain(`nginx.ingress.kubernetes.io/proxy-body-size: ${mebibytes}m\n`);
  });
});

describe('what runs when it is built', () => {
  it.each(pathsOf('.github/workflows/*.yml'))('%s names actions by commit', (path) => {
    const actions = [...textOf(path).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/@[\da-f]{40}$/.test(action))).toEqual([]);
  });

  it('is no script of a package', () => {
    expect(textOf('.npmrc')).toMatch(/^ignore-scripts=true$/m);
    expect(textOf('package.json')).not.toMatch(/"(pre|post)?install"|allowScripts/);
  });

  it('is a Node whose version and digest the lock file has', () => {
    const { optionalDependencies } = JSON.parse(textOf('package.json')) as { optionalDependencies: Record<string, string> };
    const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { version: string; integrity: string }> };
    for (const [name, version] of Object.entries(optionalDependencies))
      expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) as string });
    expect(new Set(Object.values(optionalDependencies)).size).toBe(1);
  });
});
