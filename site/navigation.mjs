// The order of the site. Every page of docs/ is here; `npm run docs` fails for one that is missing.

/** @typedef {{ readonly label: string, readonly forContributors?: true, readonly pages: readonly string[] }} Group */

/** The groups in the order of the reader: a page is the name of its file in docs/, without `.md`. @type {readonly Group[]} */
export const NAVIGATION = [
  { label: 'Start', pages: ['first-tool', 'install', 'clients', 'packages'] },
  {
    label: 'Write tools',
    pages: ['writing-features', 'calling-tools', 'signals', 'schedules', 'webhooks'],
  },
  { label: 'Servers, clients, agents', pages: ['proxy', 'reference-servers', 'client', 'agent', 'agent-tasks'] },
  { label: 'Run it', pages: ['deployment', 'authentication', 'at-rest', 'operating', 'observability', 'scaling'] },
  { label: 'Look it up', pages: ['configuration', 'errors', 'features', 'first-session'] },
  { label: 'Understand it', pages: ['reliability', 'security', 'comparison', 'conformance'] },
  {
    label: 'For contributors',
    forContributors: true,
    pages: ['architecture', 'protocol', 'benchmarks', 'releasing'],
  },
];
