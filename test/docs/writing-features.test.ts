/** Compares the pages for authors of tools with the interfaces that they describe, both ways. */
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { section, sorted, tableRows, textOf } from './documents.js';

/** Names of the members of an interface, read from its source. */
function membersOf(path: string, name: string): string[] {
  const body = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(textOf(path))?.[1] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)(?=[?:(<])/gm)].map(([, member = '']) => member);
}

const AUTHORING = 'libs/mcp-features/src';
const CONTEXT = 'libs/tasks/src/replay/task-context.ts';
const PARTS = [
  ['libs/tasks/src/replay/signal-context.ts', 'SignalContext'],
  ['libs/tasks/src/replay/flow-context.ts', 'FlowContext'],
  ['libs/tasks/src/replay/spend-context.ts', 'SpendContext'],
] as const;

const DOCUMENT = 'docs/writing-features.md';
const CONTEXT_PAGE = 'docs/durable-context.md';

/** Those of `TaskContext` and of what it extends; an overloaded one once. */
function membersOfContext(): string[] {
  return [...new Set([[CONTEXT, 'TaskContext'] as const, ...PARTS].flatMap(([path, name]) => membersOf(path, name)))];
}

describe('the pages for authors', () => {
  it('has a heading for every member of the context, and no other', () => {
    const headings = [...section(CONTEXT_PAGE, 'The operations').matchAll(/^### `(\w+)`$/gm)].map(([, heading]) => heading);
    expect(sorted(headings)).toEqual(sorted(membersOfContext()));
  });

  it('says of every member of the contexts what it is in a request, in a durable tool and in stateless mode, and of no other', () => {
    const rows = tableRows(section(CONTEXT_PAGE, 'The context'));
    const members = [
      ...membersOfContext(),
      ...membersOf(`${AUTHORING}/client-context.ts`, 'ClientContext'),
      ...membersOf(`${AUTHORING}/request-context.ts`, 'RequestContext'),
      ...LoggingLevelSchema.options,
      'warn',
    ];
    expect(sorted(rows.flatMap(([names = '']) => names.split(', ')))).toEqual(sorted(members));
    expect(rows.filter((row) => row.length !== 4 || row.includes(''))).toEqual([]);
  });

  it('has every member of a session', () => {
    const documented = tableRows(section('docs/sessions-and-records.md', 'Sessions')).flatMap(([names = '']) => names.split(', '));
    const members = [
      ...membersOf(`${AUTHORING}/request-context.ts`, 'SessionContext'),
      ...membersOf('libs/sessions/src/session-values.ts', 'StoredSession'),
      ...membersOf(CONTEXT, 'SessionValues'),
    ];
    expect(sorted(documented)).toEqual(sorted(members));
  });

  it('has every decorator', () => {
    const documented = tableRows(section('docs/classes.md', 'Classes')).map(([decorator = '']) => /^@(\w+)/.exec(decorator)?.[1]);
    const exported = [...textOf('libs/mcp-features/src/index.ts').matchAll(/\b(Mcp[A-Z]\w+)/g)].map(([, name]) => name);
    expect(sorted(documented)).toEqual(sorted(exported));
  });

  it('has every member of a retry policy', () => {
    const documented = tableRows(section(DOCUMENT, 'Retries')).map(([member]) => member);
    expect(sorted(documented)).toEqual(sorted(membersOf('libs/tasks/src/replay/step-context.ts', 'RetryPolicy')));
  });

  it('has every option of a durable tool', () => {
    const documented = tableRows(section(DOCUMENT, 'What else a durable tool can set')).map(([option]) => option);
    const own = membersOf(`${AUTHORING}/define-tool.ts`, 'DurableToolSpec').filter((member) => member !== 'task' && member !== 'run');
    const options = [...membersOf(`${AUTHORING}/tool.ts`, 'TaskOptions'), ...own, 'needs', 'scopes'];
    expect(sorted(documented)).toEqual(sorted(options));
  });
});
