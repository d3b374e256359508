import { createKeyRing } from '@longhaul/runtime/keys';
import type { TaskId } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { createQuestionLinks } from './question-links.js';

const DAY_MS = 24 * 3_600_000;
const taskId = '7b2c7c52-6a0e-4b55-8f0e-1c7c6f7f0a01' as TaskId;
const view = { taskId, createdAt: 1_000, standing: { pass: 1, epoch: 1, phase: 'suspended' as const } };
const input = { key: '$elicit', method: 'elicitation/create', askedAt: 2_000 };
const ring = createKeyRing('a secret of the tests');

function linksAt(now: number, keys = ring, publicUrl: string | undefined = 'https://mcp.example.com/mcp') {
  return createQuestionLinks(keys, publicUrl, () => now);
}

const tokenOf = (link = ''): string => link.slice(link.lastIndexOf('/') + 1);
const token = tokenOf(linksAt(3_000).linkTo(view, input));

describe('a link to a question', () => {
  it.each([
    ['https://mcp.example.com/mcp', 'https://mcp.example.com/tasks/'],
    ['https://example.com/a/mcp', 'https://example.com/a/tasks/'],
    ['http://localhost:3000', 'http://localhost:3000/tasks/'],
  ])('of the endpoint %s begins with %s', (publicUrl, beginning) => {
    const link = linksAt(3_000, ring, publicUrl).linkTo(view, input) ?? '';
    expect(link.startsWith(beginning)).toBe(true);
    expect(tokenOf(link)).toMatch(/^[\w.-]+$/);
  });

  it('stands for one question of one task, and shows nothing of it', () => {
    expect(linksAt(3_000).open(token)).toEqual({ taskId, key: '$elicit', askedAt: 2_000, isExpired: false });
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(taskId.slice(0, 8));
  });

  it('names the operator who was given it', () => {
    const link = linksAt(3_000).linkTo(view, input, 'operator:ada');
    expect(linksAt(3_000).open(tokenOf(link))).toMatchObject({ givenTo: 'operator:ada' });
  });

  it('is not made where the address of the endpoint is not known, or of what is no question to a person', () => {
    expect(createQuestionLinks(ring, undefined).linkTo(view, input)).toBeUndefined();
    expect(linksAt(3_000).linkTo(view, { ...input, method: 'sampling/createMessage' })).toBeUndefined();
  });

  it.each<[string, object, number]>([
    ['a month later', {}, 3_000 + 30 * DAY_MS],
    ['when nobody may answer any more', { maxWaitMs: DAY_MS }, 3_000 + DAY_MS],
    ['when its task has run for too long', { maxWaitMs: 5 * DAY_MS, maxRunMs: DAY_MS }, 1_000 + DAY_MS],
  ])('is over %s', (_when, limits, at) => {
    const made = tokenOf(linksAt(3_000).linkTo({ ...view, standing: { ...view.standing, ...limits } }, input));
    expect(linksAt(at - 1).open(made)?.isExpired).toBe(false);
    expect(linksAt(at).open(made)?.isExpired).toBe(true);
  });

  it('of a task that has begun anew lasts from then', () => {
    const standing = { ...view.standing, maxRunMs: DAY_MS };
    const made = tokenOf(linksAt(DAY_MS).linkTo({ ...view, continuedAt: DAY_MS, standing }, input));
    expect(linksAt(2 * DAY_MS - 1).open(made)?.isExpired).toBe(false);
  });

  it('is read after its secret has become an old one, and by no other deployment', () => {
    expect(linksAt(3_000, createKeyRing('a newer secret', ['a secret of the tests'])).open(token)).toMatchObject({ taskId });
    expect(linksAt(3_000, createKeyRing('another secret')).open(token)).toBeUndefined();
  });

  it('cannot be made up, or changed in any character', () => {
    const changed = Array.from(token, (character, at) => `${token.slice(0, at)}${character === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`);
    const others = ['', '.', 'a'.repeat(10_000), `${token}A`, `${token}=`, ` ${token}`, token.slice(0, -1), token.slice(9), `${token}/..`];
    for (const text of [...changed, ...others]) expect(linksAt(3_000).open(text)).toBeUndefined();
  });
});
