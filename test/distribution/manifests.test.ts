/** Checks the manifests for registries, clients and desktops against the schemas of their owners and against each other. */
import { Ajv, type AnySchemaObject } from 'ajv';
import { describe, expect, it } from 'vitest';
import { exists, section, textOf } from '../docs/documents.js';

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** How a client runs the published package. */
const LAUNCH: Launch = { command: 'npx', args: ['-y', 'longhaul', 'stdio'] };

const server = json('server.json') as {
  $schema: string;
  name: string;
  version: string;
  packages: {
    registryType: string;
    identifier: string;
    version: string;
    packageArguments: { value: string }[];
    environmentVariables: { name: string }[];
  }[];
};
const manifest = json('deploy/mcpb/manifest.json') as {
  version: string;
  server: { entry_point: string; mcp_config: Launch & { env: Readonly<Record<string, string>> } };
  compatibility: { runtimes: { node: string } };
};
const repository = json('package.json') as { version: string; engines: { node: string } };
const command = json('apps/cli/package.json') as { name: string; version: string; mcpName: string; bin: Readonly<Record<string, string>> };

function json(path: string): unknown {
  return JSON.parse(textOf(path));
}

/** @returns what is wrong with a document by a schema of `test/fixtures/schemas` */
function mistakes(schema: string, document: unknown): string[] {
  const formats = { uri: (text: string) => URL.canParse(text), email: /@/ };
  const ajv = new Ajv({ strict: false, allErrors: true, formats });
  const validate = ajv.compile(json(`test/fixtures/schemas/${schema}.json`) as AnySchemaObject);
  void validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('server.json', () => {
  it('is as the registry of MCP servers wants it', () => {
    expect(mistakes('server-json', server)).toEqual([]);
    expect(mistakes('server-json', { ...server, name: 'longhaul' })).not.toEqual([]);
    expect(json('test/fixtures/schemas/server-json.json')).toMatchObject({ $id: server.$schema });
  });

  it('names the package that says that it is this server', () => {
    const [npm] = server.packages;
    expect(npm).toMatchObject({ registryType: 'npm', identifier: command.name });
    expect(command.mcpName).toBe(server.name);
    expect(['-y', command.name, ...(npm?.packageArguments ?? []).map(({ value }) => value)]).toEqual(LAUNCH.args);
    expect(textOf('Dockerfile')).toContain(`io.modelcontextprotocol.server.name="${server.name}"`);
  });

  it('names variables that there are', () => {
    const documented = section('docs/configuration.md', 'Variables');
    for (const { name } of server.packages.flatMap(({ environmentVariables }) => environmentVariables))
      expect(documented).toContain(`| \`${name}\` `);
  });
});

describe('the manifest of the bundle', () => {
  it('is as the format wants it', () => {
    expect(mistakes('mcpb-manifest', manifest)).toEqual([]);
    expect(mistakes('mcpb-manifest', { ...manifest, servers: {} })).not.toEqual([]);
  });

  it('starts the command of the package on a Node that it can run on', () => {
    const entry = `node_modules/${command.name}/${command.bin['longhaul']}`;
    expect(exists(`apps/cli/${command.bin['longhaul']}`)).toBe(true);
    expect(manifest.server.entry_point).toBe(entry);
    expect(manifest.server.mcp_config).toMatchObject({ command: 'node', args: [`\${__dirname}/${entry}`, 'stdio'] });
    expect(manifest.compatibility.runtimes.node).toBe(repository.engines.node);
  });
});

describe('the document on installing', () => {
  const text = textOf('docs/install.md');
  const link = (host: string): URL => {
    const found = [...text.matchAll(/\]\((https:\/\/\S+)\)/g)].map(([, url = '']) => new URL(url)).find((url) => url.host === host);
    if (found === undefined) throw new Error(`There is no link to ${host}.`);
    return found;
  };

  it('has a link that adds the server to Cursor', () => {
    const { pathname, searchParams } = link('cursor.com');
    expect([pathname, searchParams.get('name')]).toEqual(['/en/install-mcp', 'longhaul']);
    expect(JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString())).toEqual(LAUNCH);
  });

  it('has a link that adds the server to VS Code', () => {
    const { pathname, searchParams } = link('insiders.vscode.dev');
    expect([pathname, searchParams.get('name')]).toEqual(['/redirect/mcp/install', 'longhaul']);
    expect(JSON.parse(searchParams.get('config') ?? '')).toEqual(LAUNCH);
  });

  it('has the command for Claude Code, and the file for others', () => {
    expect(text).toContain(`claude mcp add longhaul -- ${LAUNCH.command} ${LAUNCH.args.join(' ')}\n`);
    const [, file = ''] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
    expect(JSON.parse(file)).toEqual({ mcpServers: { longhaul: LAUNCH } });
  });
});

describe('all of it', () => {
  it('has the version of the project', () => {
    const versions = [server.version, ...server.packages.map(({ version }) => version), manifest.version, command.version];
    expect(new Set(versions)).toEqual(new Set([repository.version]));
    expect(textOf('docs/install.md')).toContain(`longhaul-${repository.version}.mcpb`);
  });
});
