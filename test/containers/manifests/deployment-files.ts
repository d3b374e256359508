/** What the compose file and the manifests say, and what processes find in their environment that are started by them. */
import { readConfig as readGatewayConfig } from '@longhaul/gateway/config';
import { readConfig as readOperatorConfig } from '@longhaul/operator/config';
import { readConfig as readWorkerConfig } from '@longhaul/worker/config';
import { expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { pathsOf, section, tableRows, textOf } from '../../docs/documents.js';

type Environment = Readonly<Record<string, string>>;

interface Container {
  name: string;
  image: string;
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } } }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string; optional?: boolean } }[];
  ports?: { name: string; containerPort: number }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  livenessProbe: Probe;
  readinessProbe: Probe;
  startupProbe?: Probe;
  securityContext: unknown;
  volumeMounts: unknown;
}

interface Probe {
  httpGet?: { path: string; port: string };
}

type Labels = Record<string, string>;

interface Pod {
  metadata: { labels: Labels };
  spec: { containers: Container[]; terminationGracePeriodSeconds: number; volumes: unknown };
}

/** An object of Kubernetes, as far as tests look into it. */
export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  data?: Environment;
  stringData?: Environment;
  resources?: string[];
  spec: {
    replicas?: number;
    template: Pod;
    selector: Labels & { matchLabels: Labels };
    podSelector: { matchLabels: Labels };
    type?: string;
    ports: { targetPort: string }[];
    scaleTargetRef: unknown;
  };
}

interface ComposeService {
  image: string;
  build?: { target: string };
  environment?: Readonly<Record<string, string | null>>;
  stop_grace_period: string;
  profiles?: string[];
  ports?: string[];
  restart?: string;
}

export const apps = ['gateway', 'worker', 'operator'] as const;
/** Those of which there are as many as the load asks for. */
export const scaledApps = ['gateway', 'worker'] as const;
export const readers = { gateway: readGatewayConfig, worker: readWorkerConfig, operator: readOperatorConfig } as const;

/** Every documented variable, and the apps that read it. */
export const variables = new Map(
  tableRows(section('docs/configuration.md', 'Variables')).map(([name = '', , , readBy = '']) => [
    name,
    readBy === 'all' ? [...apps] : readBy.split(', '),
  ]),
);

export const paths = pathsOf('deploy/kubernetes/*.yaml');
export const resources = paths.flatMap((path) =>
  parseAllDocuments(textOf(path)).map((document) => {
    expect(document.errors, path).toEqual([]);
    return document.toJS() as Resource;
  }),
);
export const compose = parse(textOf('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };

/** What an operator has to put in place of what the manifests have, and in `.env` for Compose. */
export const ownSecrets: Environment = {
  LONGHAUL_SECRET: 'fb5d4cb9a2a6b1f4a1c0d3c2',
  LONGHAUL_TOKENS: 'ada:47c2e0b2a1f64b2fd8b1f0aa',
  LONGHAUL_OPS_TOKENS: 'ada:6b1f0c9d47e2a853b14f:operate',
};

export function resource(kind: string, name: string): Resource {
  const found = resources.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

export function containerOf(app: string): Container {
  const [container] = resource('Deployment', `longhaul-${app}`).spec.template.spec.containers;
  if (container === undefined) throw new Error(`${app} has no container.`);
  return container;
}

/**
 * What the process in the pod finds in its environment, without what Secrets have that the manifests leave out.
 *
 * @param settings what the operator has written into the ConfigMap
 * @param secrets and into the Secret
 */
export function environmentOf(app: string, settings: Environment = {}, secrets: Environment = ownSecrets): Record<string, string> {
  const { env, envFrom } = containerOf(app);
  const config = (name: string): Environment => ({ ...resource('ConfigMap', name).data, ...settings });
  const secret = (name: string): Environment => ({ ...resource('Secret', name).stringData, ...secrets });
  const given: Record<string, string> = {};
  for (const { configMapRef, secretRef } of envFrom) {
    if (configMapRef !== undefined) Object.assign(given, config(configMapRef.name));
    if (secretRef !== undefined && secretRef.optional !== true) Object.assign(given, secret(secretRef.name));
  }
  for (const { name, value, valueFrom } of env) {
    const ref = valueFrom?.secretKeyRef;
    const text = ref === undefined ? value : secret(ref.name)[ref.key];
    // As the kubelet does it: what is optional and not there leaves what the ConfigMap says.
    if (text !== undefined || ref?.optional !== true) given[name] = text ?? '';
  }
  return given;
}

/** What Compose gives to the process of a service, with these variables in the shell or in `.env`. */
export function composeEnvironmentOf(app: string, env: Environment = ownSecrets): Record<string, string> {
  const entries = Object.entries(compose.services[app]?.environment ?? {});
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const text = value === null ? env[name] : interpolated(value, env);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** Fills in `${NAME:-default}` and `${NAME:?message}`. */
export function interpolated(text: string, env: Environment = {}): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const value = env[name] ?? '';
    if (value === '' && kind === '?') throw new Error(`${name} is missing: ${rest}`);
    return value === '' ? rest : value;
  });
}
