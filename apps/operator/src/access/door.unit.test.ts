import { openMemoryStore } from '@longhaul/store-sqlite';
import { expect, it } from 'vitest';
import { createDoor, type Door, type Operator, SESSION_MS } from './door.js';
import { EndedLogins } from './ended-logins.js';
import { WrongTokens } from './wrong-tokens.js';

const NOW = 1_700_000_000_000;
const HERE = '192.0.2.1';
const TOKEN = 'first.token.of.a.test';
const ada: Operator = { name: 'ada', role: 'operate' };
const { ownerRecords } = openMemoryStore({ onError: () => undefined });

/** A door as in a separate process. */
const doorFor = (tokens: readonly (readonly [string, Operator])[]): Door =>
  createDoor(new Map(tokens), { endedLogins: new EndedLogins(ownerRecords), wrongTokens: new WrongTokens(100) });
const newDoor = (): Door =>
  doorFor([
    [TOKEN, ada],
    ['second.token.of.a.test', { name: 'board', role: 'read' }],
  ]);
const door = newDoor();

it('knows who holds a token, and nobody by any other text', () => {
  expect(door.byToken(TOKEN, HERE)).toBe(ada);
  for (const other of ['', TOKEN.slice(1), `${TOKEN} `]) expect(door.byToken(other, HERE)).toBeUndefined();
});

it('lets in who has logged in until the session is over', async () => {
  const session = door.session(TOKEN, NOW);
  expect(await door.bySession(session, NOW + SESSION_MS - 1)).toBe(ada);
  expect(await door.bySession(session, NOW + SESSION_MS)).toBeUndefined();
});

it('takes no session that was changed, or was signed with a token that is no longer one', async () => {
  const session = door.session(TOKEN, NOW);
  const [id = '', until = '', signature = ''] = session.split('.');
  for (const changed of [
    `${id}.${NOW * 2}.${signature}`,
    `another.${until}.${signature}`,
    session.slice(0, -2),
    `${id}.${until}`,
    id,
    '',
    '..',
  ])
    expect(await door.bySession(changed, NOW)).toBeUndefined();
  expect(await doorFor([['another.token.of.a.test', ada]]).bySession(session, NOW)).toBeUndefined();
});

it('takes a session that was ended at no process any more, and every other one', async () => {
  const [session, other] = [door.session(TOKEN, NOW), door.session(TOKEN, NOW)];
  await door.endSession(session, NOW + 1);
  for (const one of [door, newDoor()]) {
    expect(await one.bySession(session, NOW + 2)).toBeUndefined();
    expect(await one.bySession(other, NOW + 2)).toBe(ada);
  }
});

it('forgets ended sessions that would be over by now', async () => {
  const ended = new EndedLogins(ownerRecords);
  await ended.end('early', NOW + 10, NOW);
  await ended.end('late', NOW + SESSION_MS, NOW + 11);
  expect([await ended.has('early'), await ended.has('late')]).toEqual([false, true]);
});
