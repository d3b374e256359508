/** Checks docs/internals/protocol.md: each row names an existing test, and each requirement is there once. */
import { describe, expect, it } from 'vitest';
import { section, tableRows, textOf } from './documents.js';
import { missingTest } from './named-tests.js';

const PATH = 'docs/internals/protocol.md';

/**
 * The number of MUST, MUST NOT, SHOULD and SHOULD NOT in each section of the two specifications that bind a server, or a server as a
 * requestor. Under "Protocol Errors" and "Resource Management" each case of a list counts.
 */
const STATED: Readonly<Record<string, number>> = {
  Capabilities: 1,
  'Capability Negotiation': 2,
  'Tool-Level Negotiation': 2,
  'Getting Tasks': 4,
  'Retrieving Task Results': 1,
  'Task Status Notification': 2,
  'Task Support and Handling': 1,
  'Task ID Requirements': 3,
  'Task Status Lifecycle': 3,
  'Input Required Status': 6,
  'TTL and Resource Management': 4,
  'Result Retrieval': 5,
  'Associating Task-Related Messages': 6,
  'Task Notifications': 2,
  'Task Listing': 3,
  'Task Cancellation': 4,
  'Related Task Metadata': 3,
  'Protocol Errors': 5,
  'Task Execution Errors': 3,
  'Task Isolation and Access Control': 7,
  'Resource Management': 6,
  'Audit and Logging': 3,
  'Extension: Capability Negotiation': 2,
  'Extension: Supported Methods': 1,
  'Extension: Polymorphic Results': 2,
  'Extension: Task Status': 1,
  'Extension: Task Creation': 3,
  'Extension: Task Polling': 8,
  'Extension: Task Update Requests': 7,
  'Extension: Task Cancellation': 4,
  'Extension: Task Status Notifications': 2,
  'Extension: Protocol Errors': 6,
  'Extension: Task Execution Errors': 6,
  'Extension: Security Considerations': 2,
};

/** The requirements on clients, as far as the client of this repository meets them. */
const KEPT: Readonly<Record<string, number>> = { 'Client in 2025-11-25': 8, 'Client of the extension': 10 };

/** The requirements without a test, and their reasons. */
const UNTESTED = /^(Not done|By design|Documented): /;

const headings = [...textOf(PATH).matchAll(/^### (.*)$/gm)].map(([, heading = '']) => heading);
const rowsOf = (heading: string): string[][] => tableRows(section(PATH, heading));
const rows = headings.flatMap((heading) =>
  rowsOf(heading).map(([requirement = '', does = '', test = '']) => ({ heading, requirement, does, test })),
);
const tested = rows.filter(({ test }) => test !== '–');

describe('the tables of requirements', () => {
  it('are those of the sections that state some, in their order', () => {
    expect(headings).toEqual([...Object.keys(STATED), ...Object.keys(KEPT)]);
  });

  it.each(Object.entries({ ...STATED, ...KEPT }))('have under "%s" as many rows as that states: %d', (heading, count) => {
    expect(rowsOf(heading)).toHaveLength(count);
  });

  it('have each requirement of a section once, with how strong it is', () => {
    const keys = rows.map(({ heading, requirement }) => `${heading}: ${requirement}`);

    expect(new Set(keys).size).toBe(keys.length);
    for (const { requirement } of rows) expect(requirement).toMatch(/^(MUST|SHOULD)( NOT)? [a-z-]/);
  });

  it('say why, where they name no test, and otherwise what is done', () => {
    for (const { test, does } of rows) expect(UNTESTED.test(does)).toBe(test === '–');
  });

  it.each(tested)('name a test that exists for "$requirement"', ({ test }) => {
    expect(missingTest(test)).toBeUndefined();
  });
});
