/** Tests the lists of a caller's tasks and open sessions. */
import { createHash, randomUUID } from 'node:crypto';
import { ownerOfClient, ownerOfSubject, ownerOfUser, type SessionSlots } from '@longhaul/sessions';
import { TaskHistory } from '@longhaul/tasks/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlite } from '../../stores/support/stores.js';
import { type Answer, operated, type Operated, TOKENS } from '../support/operated.js';

const ISSUER = 'https://login.example.com';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;

describe('what callers have', () => {
  let api: Operated;
  let places: SessionSlots;
  let opened: Awaited<ReturnType<typeof sqlite.open>>;
  beforeEach(async () => {
    opened = await sqlite.open();
    places = opened.store.sessionSlots;
    api = await operated(opened.store, { LONGHAUL_MAX_OPEN_SESSIONS: '7' });
  });
  afterEach(async () => {
    await api.operator.close();
    await opened.close();
  });

  const session = async (owner: string): Promise<string> => {
    const id = randomUUID();
    await places.take(owner, id, 10_000);
    return id;
  };
  const holdings = (principal: object, headers?: Record<string, string>): Promise<Answer> =>
    api.post('/api/v1/principals/holdings', { principal }, headers);

  it('is their open sessions too, for those who may only read, and no id of one', async () => {
    const owner = ownerOfUser('bob');
    const [ended, id] = [await session(owner), await session(owner)];
    await session(ownerOfUser('eve'));
    await places.release(ended);
    const { status, body } = await holdings({ name: 'bob' }, { authorization: `Bearer ${TOKENS.reader}` });
    expect(status).toBe(200);
    expect(body).toEqual({
      owners: [owner],
      tasks: { working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 },
      openSessions: 1,
      sessions: [{ session: hashOf(id), owner, openedAt: TIME, expiresAt: TIME }],
      revocations: [],
    });
    expect(JSON.stringify(body)).not.toContain(id);
  });

  it('is found for a tenant and for an issuer, whose callers nobody has named', async () => {
    const ada = ownerOfSubject({ issuer: ISSUER, tenant: 'acme', name: 'ada' });
    const job = ownerOfClient({ issuer: ISSUER, tenant: 'acme', name: 'job' });
    const kim = ownerOfSubject({ issuer: ISSUER, name: 'kim' });
    const others = [
      ownerOfSubject({ issuer: 'https://else.example', tenant: 'acme', name: 'ada' }),
      'address:203.0.113.7',
      ownerOfUser('ada'),
    ];
    for (const owner of [ada, ada, job, kim, ...others]) await session(owner);
    const history = new TaskHistory();
    await api.append(history.create({ owner: kim, tool: 'research', arguments: {} }));
    const ownersAndSessions = async (principal: object) => {
      const { owners, openSessions, sessions } = (await holdings(principal)).body;
      const held = (sessions as { owner: string }[]).map(({ owner }) => owner);
      return { owners: (owners as string[]).toSorted(), openSessions, held };
    };
    expect(await ownersAndSessions({ issuer: ISSUER, tenant: 'acme' })).toEqual({
      owners: [job, ada],
      openSessions: 3,
      held: [job, ada, ada],
    });
    expect(await ownersAndSessions({ issuer: ISSUER, subject: 'ada', tenant: 'acme' })).toMatchObject({
      openSessions: 2,
      held: [ada, ada],
    });
    expect(await ownersAndSessions({ issuer: ISSUER })).toMatchObject({ owners: [job, kim, ada].toSorted(), openSessions: 4 });
    expect((await holdings({ issuer: ISSUER })).body).toMatchObject({ tasks: { working: 1 } });
    expect(await ownersAndSessions({ issuer: 'https://nowhere.example' })).toEqual({ owners: [], openSessions: 0, held: [] });
  });

  it('is counted to the last session, of which the first are named', async () => {
    const owner = ownerOfUser('many');
    await Promise.all(Array.from({ length: 1_100 }, () => session(owner)));
    const { body } = await holdings({ name: 'many' });
    expect(body).toMatchObject({ openSessions: 1_100 });
    expect(body['sessions']).toHaveLength(1_000);
    const ofOwner = await api.get(`/api/v1/owners/limits?owner=${encodeURIComponent(owner)}`);
    expect(ofOwner.body).toMatchObject({ used: { openSessions: 1_100 } });
    expect(ofOwner.body['sessions']).toHaveLength(100);
  });

  it('is held against what an owner may have, an address too', async () => {
    await api.put('/api/v1/tenants/ada', { settings: { openSessions: 3 }, reason: 'they have paid for it' });
    for (const [owner, limit] of [
      [ownerOfUser('ada'), 3],
      ['address:203.0.113.7', 7],
    ] as const) {
      const id = await session(owner);
      const { body } = await api.get(`/api/v1/owners/limits?owner=${encodeURIComponent(owner)}`);
      expect(body).toMatchObject({
        limits: { openSessions: limit },
        used: { openSessions: 1 },
        sessions: [{ session: hashOf(id), owner, openedAt: TIME, expiresAt: TIME }],
      });
    }
  });
});

/** As traces have the id of a session. */
function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 12);
}
