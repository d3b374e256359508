/** Checks docs/internals/attacks.md: it has exactly the required attacks and items, each with an existing test. */
import { describe, expect, it } from 'vitest';
import { section, sorted, tableRows, textOf } from './documents.js';
import { missingTest } from './named-tests.js';

const DOCUMENT = 'docs/internals/attacks.md';

/** The attacks to try. */
const ATTACKS = [
  'A task of another owner, by every method',
  'A session of another owner',
  'A stream of another owner',
  'Last-Event-ID of another owner',
  'A subscription to a task of another owner',
  'An idempotency key of another owner',
  'requestState of another owner',
  'A completion of what another owner has',
  'A session file of another owner',
  'Equal JSON-RPC ids of 50 clients on two gateways',
  'DNS rebinding by Host',
  'A foreign Origin',
  'A CORS preflight of a foreign page',
  'A forwarded host',
  'A forwarded address',
  'Slow headers',
  'Slow bodies',
  'Deep JSON',
  "JSON of a million small values, or values that fill a schema's list of errors",
  'Many large bodies at once',
  'Arguments that are refused, to fill the store',
  "The token of a program that starts tools, used as an operator's",
  'The token of a program that starts tools, used for tasks of others',
  'A misspelt member in a request of an operator',
  '__proto__ and duplicate keys',
  'Keys in another case',
  'A URI that is slow to match',
  'All streams of a gateway, taken by the callers of one tenant',
  'Streams that each follow 1,000 tasks, again and again',
  'A knowledge graph of 16 MiB, read again and again',
  'A pattern in a form',
  'A pattern that is slow to match, of another server or a caller',
  'An answer that does not fit its form',
  'A link to a question, changed, made up, of another deployment, of another task or too late',
  'A link to a question that is used again, or by two at once',
  'Markup in the texts of a question',
  'A question that leads to a script by its address',
  'A link to a question, looked for in logs',
  'An address for signals, made up, changed or too late',
  'A webhook for a task, forged, changed, old or repeated',
  'A flood of signals',
  'A signal to a task of another owner',
  'A question of another owner, answered through a model',
  'A model that confirms for its user that an address was opened, or allows a call of an agent',
  "A caller's token, sent on to another server behind a proxy",
  'A process of another server behind a proxy, shared with another caller',
  'A question of another server, put to another caller than the one who has called',
  'Another server that wants messages to be sent to a third one',
  'A plain value in the store, with LONGHAUL_ENCRYPTION=only',
  'An encrypted value that was moved',
  'A large result of another caller',
  "Large bodies, slow requests and many connections at the operator's port, without a token",
  "Trying tokens at the operator's port",
  "All connections of the operator's port, taken by one address",
  'Wrong tokens behind the proxy of operators, so that nobody can log in',
  'A history that is nested too deeply to be read',
  'Characters in a log that a terminal obeys',
  'Characters in JSON that a terminal obeys',
  'Characters without a width, in what somebody has to allow',
  'Arguments behind long ones, in what somebody has to allow',
  'A cookie of an operator who has logged out',
  'The login of an operator, used or ended by a page of another port',
  "An operator's answer that a browser or a proxy keeps",
  'A schema of a caller that takes time or memory to check',
  'A schema of a caller that a gateway would have to compile',
  'Large messages of many servers of the agent at the same time',
  'Huge ids',
  'Huge tokens',
  'Huge cursors',
  'Huge fields',
  'A webhook to a private address, by any name',
  'A webhook of a call to a host of its own choice',
  'An endpoint that never answers, or endlessly',
  "Webhooks about another tenant's tasks",
  'SSRF by redirect',
  'SSRF by mixed DNS answers',
  'SSRF by DNS that changes',
  'A page that takes memory or time: deep, with a million attributes, or huge',
  'Such a page by a prompt, in a gateway',
  'Many such pages of one caller',
  'No token',
  'A token in the query',
  'Two tokens',
  'Tokens that are malformed, expired, for later, without an end, for another audience or none, of another type, issuer, algorithm or key, or that name their own keys',
  '1,000 unknown keys',
  'A proof with a key that takes long to verify',
  'Spoilt requests of any kind',
];

/** What servers behind a proxy may try. */
const PROXIED = [
  'Anything of another caller at the servers that both use: calls, roots, log levels, questions, progress, cancelled ids, resources, sessions',
  'A call, prompt, resource or completion without the scopes that the file names',
  "A caller's own token, where it is exchanged for one of the server",
  "A caller's own token, and the exchanged one, in what is kept of a task",
  'A task with the exchanged token of another caller',
  'A kept token, for another caller or another URL',
  'A connection with the exchanged token of another caller',
  'A call with the rights that lists are read with',
  'A refusal that is taken for an empty list',
  'An authorization server that redirects, to be sent the secret elsewhere',
  'Metadata of another issuer',
  'Metadata that lead to a private address',
  'A server that names an authorization server at a private address',
  'A server that has a token for another server gotten',
  'A log-in page that starts a program, or is at a private address',
  'A code of another authorization server',
  'A page that answers a log-in that is not its own',
  'A log-in without PKCE',
  'A server that names another authorization server, to get a refresh token',
  'Huge answers of an authorization server',
  'A secret of the file, in a message about a failure',
  'A host that resolves to the address at which a cloud gives out keys',
  'The same address of a cloud in IPv6',
  'Made-up resources that a caller subscribes to, so that no change of others is noticed',
  'A redirect to another host',
  'A tool that changes after it was approved',
  'A tool that is another one on the connection of a call',
  'A damaged file of approved tools',
  '10,000 messages a second, or output without messages',
  'A server that never answers its first request',
  'A result of 50 MB',
  'An error of megabytes that is slow to understand',
  'A schema that is huge, or nested without end',
  'Names that a terminal obeys',
  'A process that leaves a daemon behind',
];

/** OWASP MCP Top 10, the items that are about servers. */
const OWASP = [
  'MCP01 Token mismanagement and secret exposure',
  'MCP02 Privilege escalation by scope creep',
  'MCP04 Supply chain and dependencies',
  'MCP05 Command injection and execution',
  'MCP07 Insufficient authentication and authorization',
  'MCP08 Lack of audit and telemetry',
  'MCP10 Context injection and over-sharing',
];

/** CoSAI MCP Security, levels L3 and L4. */
const COSAI = [
  'A handle is bound to its principal',
  'Tokens are checked for their audience',
  'Tokens are not passed on, stored or logged',
  'Scopes are enforced on every way',
  'What is open ends with its token',
  'The store is reached with the least rights',
  'Operators have roles, and what they do is recorded',
  'Revoking a principal ends its handles and its tasks, and withholds results',
  "Each tenant's data has a key of its own",
  'A log in which a deleted or changed record shows',
];

describe.each([
  ['Attacks', ATTACKS],
  ['Servers behind a proxy', PROXIED],
  ['OWASP MCP Top 10', OWASP],
  ['CoSAI', COSAI],
] as const)('the table of %s', (heading, items) => {
  const rows = tableRows(section(DOCUMENT, heading));

  it('has each item once, and no other', () => {
    expect(sorted(rows.map(([item]) => item))).toEqual(sorted(items));
    expect(rows).toHaveLength(items.length);
  });

  it.each(rows)('names a test that exists for "%s", and leads to its file', (_item, test = '') => {
    const [, path = '', target = '', title = ''] = /^\[(.+)\]\((.+)\) › (.+)$/.exec(test) ?? [];
    expect(target).toBe(`../../${path}`);
    expect(missingTest(`${path} › ${title}`)).toBeUndefined();
  });
});

it('is where those who report a vulnerability find it', () => {
  expect(textOf('SECURITY.md')).toContain('](docs/security.md)');
});
