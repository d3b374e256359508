import { createKeyRing } from '@longhaul/runtime/keys';
import { openMemoryStore } from '@longhaul/store-sqlite';
import { codecOf } from '@longhaul/tasks/testing';
import { expect, it } from 'vitest';
import { createOwnerStore } from '../owner-store.js';
import { NO_VERSION } from '../ports/owner-records.js';
import { OPERATORS_OWNER, type Revocation, Revocations } from '../revocations.js';
import { sealedRecords } from './sealed-records.js';

const REVOCATION: Revocation = { principal: { name: 'bob' }, at: 1, by: 'ada', reason: 'left the company' };

function encryptedRecords() {
  const { ownerRecords: kept, dataKeys } = openMemoryStore();
  const codec = codecOf(dataKeys, { ring: createKeyRing({ name: 'only', secret: 'the only key of a deployment' }) });
  const textsOf = async (name: string) =>
    (await kept.changesSince({ owner: { id: OPERATORS_OWNER }, name }, NO_VERSION)).records.map(({ live }) => live?.json ?? '');
  return { kept, codec, records: sealedRecords(kept, codec), textsOf };
}

it('keeps revocations plain, and everything else that operators keep encrypted, such as answers to many tasks', async () => {
  const { records, textsOf } = encryptedRecords();
  await new Revocations(records).set(REVOCATION);
  expect((await textsOf('revoked')).map((text) => JSON.parse(text) as unknown)).toEqual([REVOCATION]);
  const bulk = createOwnerStore(records).of({ id: OPERATORS_OWNER }).collection('bulk');
  await bulk.update(() => ({ changes: [{ id: 'one', value: { answer: 'yes' } }], result: undefined }));
  expect(await textsOf('bulk')).toEqual([expect.stringMatching(/^v1\./)]);
});

it('reads revocations that were kept encrypted', async () => {
  const { kept, codec, records } = encryptedRecords();
  const seal = await codec.sealFor(OPERATORS_OWNER);
  const json = seal(JSON.stringify(REVOCATION), { kind: 'records', id: OPERATORS_OWNER, field: 'revoked ["revoked","bob"]' });
  const of = { owner: { id: OPERATORS_OWNER }, name: 'revoked' };
  await kept.apply(of, { since: NO_VERSION, changes: [{ id: 'bob', json }], maxBytes: 10_000 });
  expect(await new Revocations(records).all()).toEqual([REVOCATION]);
});
