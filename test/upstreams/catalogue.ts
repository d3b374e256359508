/** MCP servers that other people wrote, which `npm run upstreams` puts behind a proxy. */

/** A call whose result has to be the same with and without the proxy. */
export interface SampleCall {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** What differs from call to call, such as a time, in the text of the result. */
  readonly varies?: RegExp;
}

/** A prompt or a resource that has to be the same. */
export interface Sample {
  readonly prompts?: readonly { readonly name: string; readonly arguments?: Readonly<Record<string, string>> }[];
  readonly resources?: readonly string[];
}

/** Where things are that only the run knows. */
export interface Places {
  /** An empty folder of the run. */
  readonly folder: string;
  /** A git repository with one commit. */
  readonly repository: string;
  /** A page on this machine. */
  readonly page: string;
}

export interface Upstream extends Sample {
  readonly name: string;
  /** A package of the main lock file, a file of requirements in `python` or in `test/peers/python`, or nothing that is installed. */
  readonly from: 'npm' | 'peers' | 'fastmcp-tasks' | 'python-sdk-1' | 'python-sdk-2';
  /** What runs: the path of a program in `node_modules`, a program here, or the arguments of Python. */
  readonly program: (places: Places) => readonly string[];
  /** Whether it listens at a URL, which it prints as its first line. */
  readonly isHttp?: boolean;
  readonly calls: (places: Places) => readonly SampleCall[];
  /** In a run of a few seconds as well. */
  readonly isSmoke?: boolean;
  /** A tool that takes some seconds, called as a task while gateways and workers are killed. It counts how often it ran in a file. */
  readonly slow?: {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly text: string;
    /** Whether the server has a task of its own for it. A worker that dies before it has recorded that task may not call the tool again. */
    readonly isTask?: boolean;
  };
}

const npm = (name: string, ...args: readonly string[]): string[] => [`node_modules/@modelcontextprotocol/${name}/dist/index.js`, ...args];

export const UPSTREAMS: readonly Upstream[] = [
  {
    name: 'everything',
    from: 'npm',
    isSmoke: true,
    program: () => npm('server-everything', 'stdio'),
    calls: () => [
      { tool: 'echo', arguments: { message: 'höhö 🦊' } },
      { tool: 'get-sum', arguments: { a: 0.1, b: 2 } },
      { tool: 'get-tiny-image' },
      { tool: 'get-structured-content', arguments: { location: 'New York' } },
      { tool: 'get-resource-links', arguments: { count: 3 } },
      { tool: 'get-annotated-message', arguments: { messageType: 'error', includeImage: true } },
      { tool: 'get-sum', arguments: { a: 'none' } },
    ],
    prompts: [{ name: 'simple-prompt' }, { name: 'args-prompt', arguments: { city: 'Rome' } }],
    resources: ['demo://resource/static/document/features.md'],
  },
  {
    name: 'memory',
    from: 'npm',
    program: () => npm('server-memory'),
    calls: () => [
      { tool: 'read_graph' },
      { tool: 'search_nodes', arguments: { query: 'Ada' } },
      { tool: 'open_nodes', arguments: { names: 1 } },
    ],
  },
  {
    name: 'thinking',
    from: 'npm',
    program: () => npm('server-sequential-thinking'),
    calls: () => [
      { tool: 'sequentialthinking', arguments: { thought: 'One', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 } },
    ],
  },
  {
    name: 'filesystem',
    from: 'npm',
    isSmoke: true,
    program: ({ folder }) => npm('server-filesystem', folder),
    calls: ({ folder }) => [
      { tool: 'write_file', arguments: { path: `${folder}/a.txt`, content: 'one\n' } },
      { tool: 'read_text_file', arguments: { path: `${folder}/a.txt` } },
      { tool: 'list_directory', arguments: { path: folder } },
      { tool: 'read_text_file', arguments: { path: '/etc/hostname' } },
    ],
  },
  {
    name: 'time',
    from: 'peers',
    program: () => ['-m', 'mcp_server_time', '--local-timezone', 'Europe/Berlin'],
    calls: () => [
      { tool: 'get_current_time', arguments: { timezone: 'Asia/Kolkata' }, varies: /T[\d:]+/g },
      { tool: 'convert_time', arguments: { source_timezone: 'Europe/Berlin', time: '12:00', target_timezone: 'Asia/Tokyo' } },
      { tool: 'get_current_time', arguments: { timezone: 'Nowhere/Land' } },
    ],
  },
  {
    name: 'git',
    from: 'peers',
    program: ({ repository }) => ['-m', 'mcp_server_git', '--repository', repository],
    calls: ({ repository }) => [
      { tool: 'git_status', arguments: { repo_path: repository } },
      { tool: 'git_log', arguments: { repo_path: repository, max_count: 3 } },
      { tool: 'git_show', arguments: { repo_path: repository, revision: 'HEAD' } },
    ],
  },
  {
    name: 'fetch',
    from: 'peers',
    program: () => ['-m', 'mcp_server_fetch', '--ignore-robots-txt', '--allow-private-ips'],
    calls: ({ page }) => [
      { tool: 'fetch', arguments: { url: page } },
      { tool: 'fetch', arguments: { url: page, raw: true, max_length: 20 } },
      { tool: 'fetch', arguments: { url: 'not a url' } },
    ],
  },
  {
    name: 'fastmcp',
    from: 'fastmcp-tasks',
    isHttp: true,
    program: () => ['test/upstreams/python/fastmcp_server.py'],
    calls: () => [
      { tool: 'add', arguments: { a: 1, b: 2.5 } },
      { tool: 'fail', arguments: {} },
      { tool: 'person', arguments: { name: 'Ada' } },
    ],
    prompts: [{ name: 'greeting', arguments: { who: 'Ada' } }],
    resources: ['data://answer'],
    slow: { tool: 'slow_read', arguments: { seconds: 6 }, text: 'read after 6 s' },
  },
  {
    name: 'fastmcp-task',
    from: 'fastmcp-tasks',
    isHttp: true,
    program: () => ['test/upstreams/python/fastmcp_server.py'],
    calls: () => [],
    slow: { tool: 'slow_task', arguments: { seconds: 6 }, text: 'done after 6 s', isTask: true },
  },
  {
    name: 'python-1',
    from: 'python-sdk-1',
    program: () => ['test/upstreams/python/sdk_server.py'],
    calls: () => [{ tool: 'add', arguments: { a: 1, b: 2 } }, { tool: 'fail' }],
    resources: ['data://python-1'],
  },
  {
    name: 'python-2',
    from: 'python-sdk-2',
    program: () => ['test/upstreams/python/sdk_server.py'],
    calls: () => [{ tool: 'add', arguments: { a: 1, b: 2 } }, { tool: 'fail' }],
    resources: ['data://python-2'],
  },
  {
    name: 'typescript-2',
    from: 'npm',
    isSmoke: true,
    program: () => ['test/upstreams/sdk-v2-server.ts'],
    calls: () => [{ tool: 'add', arguments: { a: 1, b: 2 } }, { tool: 'fail' }],
    resources: ['data://typescript-2'],
  },
];
