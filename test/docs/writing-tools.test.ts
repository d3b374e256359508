/** docs/writing-tools.md against the interfaces that it describes, both ways. */
import { describe, expect, it } from 'vitest';
import { section, sorted, tableRows, textOf } from './documents.js';

/** Names of the members of an interface, read from its source. */
function membersOf(path: string, name: string): string[] {
  const body = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(textOf(path))?.[1] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)(?=[?:(<])/gm)].map(([, member = '']) => member);
}

const CONTEXT = 'libs/tasks/src/replay/task-context.ts';

describe('writing-tools.md', () => {
  it('has a heading for every member of the context, and no other', () => {
    const headings = [...section('docs/writing-tools.md', 'The operations').matchAll(/^### `(\w+)`$/gm)].map(([, heading]) => heading);
    expect(sorted(headings)).toEqual(sorted(membersOf(CONTEXT, 'TaskContext')));
  });

  it('has every member of a retry policy', () => {
    const documented = tableRows(section('docs/writing-tools.md', 'Retries')).map(([member]) => member);
    expect(sorted(documented)).toEqual(sorted(membersOf(CONTEXT, 'RetryPolicy')));
  });

  it('has every option of a durable tool', () => {
    const documented = tableRows(section('docs/writing-tools.md', 'What else a durable tool can set')).map(([option]) => option);
    const options = [...membersOf('libs/mcp-features/src/authoring/tool.ts', 'TaskOptions'), 'retry', 'needs'];
    expect(sorted(documented)).toEqual(sorted(options));
  });
});
