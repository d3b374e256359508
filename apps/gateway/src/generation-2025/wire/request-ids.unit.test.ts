import { describe, expect, it } from 'vitest';
import { createRequestIds } from './request-ids.js';
import { createKeyRing } from '@longhaul/runtime/keys';
import { createSigner } from './signer.js';

const GATEWAY = '00000000-0000-4000-8000-000000000001';
const ids = createRequestIds(createSigner(createKeyRing('a secret of the tests')));
const id = ids.idOf(GATEWAY, 12, 'session');

describe('the id of a request to the client', () => {
  it('says which gateway waits for the answer', () => {
    expect(ids.gatewayOf(id, 'session')).toBe(GATEWAY);
  });

  it('means nothing in another session, or where another secret signs', () => {
    expect(ids.gatewayOf(id, 'another')).toBeUndefined();
    expect(createRequestIds(createSigner(createKeyRing('another secret'))).gatewayOf(id, 'session')).toBeUndefined();
  });

  it('cannot be made up or changed', () => {
    const made = [id.replace('|12|', '|13|'), id.slice(0, -1), `${id}x`, id.replace(/^r/, 't'), `r|${GATEWAY}|12|`, `x${id}`, ''];

    for (const text of made) expect(ids.gatewayOf(text, 'session')).toBeUndefined();
  });
});
