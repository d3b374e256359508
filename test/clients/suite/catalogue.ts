/** The clients of the suite: how each is installed and run, and what it speaks. */
import { readFileSync } from 'node:fs';

const HTTP_2025 = { transport: 'http', protocolVersion: '2025-11-25' } as const;
const HTTP_2026 = { transport: 'http', protocolVersion: '2026-07-28' } as const;
const STDIO_2025 = { transport: 'stdio', protocolVersion: '2025-11-25' } as const;
const STDIO_2026 = { transport: 'stdio', protocolVersion: '2026-07-28' } as const;

/** One run of a client's program. */
export interface Run {
  readonly transport: 'http' | 'stdio';
  readonly protocolVersion: '2025-11-25' | '2026-07-28';
}

/** A client. */
export interface SuiteClient {
  /** What it is called, and asked for by. */
  readonly name: string;
  /** What the table calls it. */
  readonly title: string;
  /** Its packages, the first of which gives it its version. */
  readonly packages: readonly [string, ...string[]];
  /**
   * Where these come from: the repository's own lock file, that of `test/clients/npm`, or a file of requirements in
   * `test/clients/python`.
   */
  readonly from: 'main' | 'npm' | `${string}.txt`;
  /** Its program, in `test/clients`. */
  readonly program: string;
  readonly runs: readonly [Run, ...Run[]];
  /** A program of `test/clients/npm` that stands between the client and the endpoint, which is its argument. */
  readonly proxy?: string;
  /** What its users can set, if its limit is in their way. */
  readonly setting?: string;
  /** Those that the smoke has, if any. */
  readonly smokeRuns?: readonly [Run, ...Run[]];
}

export const CLIENTS: readonly SuiteClient[] = [
  {
    name: 'sdk-v1',
    title: 'TypeScript SDK v1',
    packages: ['@modelcontextprotocol/sdk'],
    from: 'main',
    program: 'sdk-v1.ts',
    setting: '`timeout` (60 s), or `onprogress` with `resetTimeoutOnProgress`',
    runs: [HTTP_2025, STDIO_2025],
    smokeRuns: [HTTP_2025, STDIO_2025],
  },
  {
    name: 'sdk-v2',
    title: 'TypeScript SDK v2',
    packages: ['@modelcontextprotocol/client'],
    from: 'main',
    program: 'sdk-v2.ts',
    setting: '`timeout` (60 s), or `onprogress` with `resetTimeoutOnProgress`',
    runs: [HTTP_2025, HTTP_2026, STDIO_2025, STDIO_2026],
    smokeRuns: [HTTP_2026, STDIO_2026],
  },
  {
    name: 'python-sdk-1',
    title: 'Python SDK 1.x',
    packages: ['mcp'],
    from: 'python-sdk-1.txt',
    program: 'python/sdk_1.py',
    runs: [HTTP_2025, STDIO_2025],
    smokeRuns: [HTTP_2025],
  },
  {
    name: 'python-sdk-2',
    title: 'Python SDK 2.x',
    packages: ['mcp'],
    from: 'python-sdk-2.txt',
    program: 'python/sdk_2.py',
    runs: [HTTP_2025, HTTP_2026, STDIO_2025, STDIO_2026],
  },
  {
    name: 'fastmcp',
    title: 'FastMCP',
    packages: ['fastmcp'],
    from: 'fastmcp.txt',
    program: 'python/fastmcp_client.py',
    runs: [HTTP_2025, HTTP_2026, STDIO_2025, STDIO_2026],
  },
  {
    name: 'fastmcp-tasks',
    title: 'FastMCP with fastmcp-tasks',
    packages: ['fastmcp', 'fastmcp-tasks'],
    from: 'fastmcp-tasks.txt',
    program: 'python/fastmcp_client.py',
    runs: [HTTP_2025, HTTP_2026, STDIO_2025, STDIO_2026],
  },
  {
    name: 'ext-tasks',
    title: 'ext-tasks over the TypeScript SDK v2',
    packages: ['@modelcontextprotocol/ext-tasks', '@modelcontextprotocol/client'],
    from: 'main',
    program: 'ext-tasks.ts',
    runs: [HTTP_2025, HTTP_2026],
  },
  {
    name: 'inspector',
    title: "Inspector's command line",
    packages: ['@modelcontextprotocol/inspector'],
    from: 'npm',
    program: 'npm/inspector.mjs',
    runs: [HTTP_2025, HTTP_2026, STDIO_2025, STDIO_2026],
  },
  {
    name: 'mcp-remote',
    title: 'mcp-remote, behind the TypeScript SDK v1',
    packages: ['mcp-remote'],
    from: 'npm',
    program: 'sdk-v1.ts',
    proxy: 'mcp-remote/dist/proxy.js',
    runs: [HTTP_2025],
  },
  {
    name: 'ai-sdk',
    title: "Vercel's `@ai-sdk/mcp`",
    packages: ['@ai-sdk/mcp'],
    from: 'npm',
    program: 'npm/ai-sdk.mjs',
    // Over stdio it speaks 2026-07-28 only with a server that has started within a second.
    runs: [HTTP_2025, HTTP_2026, STDIO_2025],
  },
  {
    name: 'langchain',
    title: "LangChain's adapters (Python)",
    packages: ['langchain-mcp-adapters'],
    from: 'langchain.txt',
    program: 'python/langchain_client.py',
    runs: [HTTP_2025, STDIO_2025],
  },
  {
    name: 'openai-agents',
    title: "OpenAI's Agents SDK (Python)",
    packages: ['openai-agents'],
    from: 'openai-agents.txt',
    program: 'python/openai_agents_client.py',
    setting: '`client_session_timeout_seconds` (5 s)',
    runs: [HTTP_2026, STDIO_2026],
  },
  {
    name: 'pydantic-ai',
    title: 'Pydantic AI with fastmcp-tasks',
    packages: ['pydantic-ai-slim', 'fastmcp-tasks'],
    from: 'pydantic-ai.txt',
    program: 'python/pydantic_ai_client.py',
    runs: [HTTP_2025, HTTP_2026, STDIO_2025, STDIO_2026],
  },
  {
    name: 'mcp-use',
    title: 'mcp-use (Python)',
    packages: ['mcp-use'],
    from: 'mcp-use.txt',
    program: 'python/mcp_use_client.py',
    runs: [HTTP_2025, STDIO_2025],
  },
];

const folder = new URL('../', import.meta.url);

/** The exact version of each package of a client, by the file that pins it. */
export function pinnedVersions({ packages, from }: SuiteClient): ReadonlyMap<string, string> {
  const pinned = from.endsWith('.txt') ? requirements(from) : dependencies(from);
  return new Map(
    packages.map((name) => {
      const version = pinned.get(name);
      if (version === undefined || !/^\d/.test(version)) throw new Error(`${name} has no exact version in ${from}.`);
      return [name, version];
    }),
  );
}

function requirements(file: string): Map<string, string> {
  const lines = readFileSync(new URL(`python/${file}`, folder), 'utf8')
    .trim()
    .split('\n');
  return new Map(lines.map((line) => line.split('==') as [string, string]));
}

function dependencies(from: string): Map<string, string> {
  const path = from === 'main' ? '../../package.json' : `${from}/package.json`;
  const manifest = JSON.parse(readFileSync(new URL(path, folder), 'utf8')) as Record<string, Record<string, string> | undefined>;
  return new Map(Object.entries({ ...manifest['devDependencies'], ...manifest['dependencies'] }));
}
