import { expect, it } from 'vitest';
import { createDoor, type Operator, SESSION_MS } from './door.js';

const NOW = 1_700_000_000_000;
const TOKEN = 'first.token.of.a.test';
const ada: Operator = { name: 'ada', role: 'operate' };
const door = createDoor(
  new Map<string, Operator>([
    [TOKEN, ada],
    ['second.token.of.a.test', { name: 'board', role: 'read' }],
  ]),
);

it('knows who holds a token, and nobody by any other text', () => {
  expect(door.byToken(TOKEN)).toBe(ada);
  for (const other of ['', TOKEN.slice(1), `${TOKEN} `]) expect(door.byToken(other)).toBeUndefined();
});

it('lets in who has logged in until the session is over', () => {
  const session = door.session(TOKEN, NOW);
  expect(door.bySession(session, NOW + SESSION_MS - 1)).toBe(ada);
  expect(door.bySession(session, NOW + SESSION_MS)).toBeUndefined();
});

it('takes no session that was changed, or was signed with a token that is no longer one', () => {
  const session = door.session(TOKEN, NOW);
  for (const changed of [session.replace(/^\d+/, String(NOW * 2)), session.slice(0, -2), session.split('.')[0] ?? '', '', '.'])
    expect(door.bySession(changed, NOW)).toBeUndefined();
  expect(createDoor(new Map<string, Operator>([['another.token.of.a.test', ada]])).bySession(session, NOW)).toBeUndefined();
});
