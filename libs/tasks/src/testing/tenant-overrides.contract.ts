import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantOverrides } from '../ports/tenant-overrides.js';
import type { ContractStore } from './contract-store.js';
import { opening } from './opening.js';
import { waitUntil } from './wait-until.js';

/** How what operators say of tenants is kept on every store. */
export function tenantOverridesContract({ name, open }: ContractStore): void {
  describe(`what operators say of tenants in ${name}`, () => {
    let tenants: TenantOverrides;
    beforeEach(opening(open, ({ store }) => ({ tenants } = store)));

    it('is nothing at first', async () => {
      expect((await tenants.read())?.tenants).toEqual(new Map());
    });

    it('is read as it was set last, and not when it was removed', async () => {
      await tenants.set('acme', { weight: 2, maxRunning: null });
      await tenants.set('ä "b"', { weight: 3 });
      await tenants.set('acme', { weight: 4 });
      await tenants.set('gone', { weight: 5 });
      await tenants.set('gone');
      expect((await tenants.read())?.tenants).toEqual(
        new Map([
          ['acme', { weight: 4 }],
          ['ä "b"', { weight: 3 }],
        ]),
      );
    });

    it('is read again only when it has changed', async () => {
      await tenants.set('acme', { weight: 2 });
      const first = await tenants.read();
      expect(await tenants.read(first?.change)).toBeUndefined();
      await tenants.set('acme');
      const second = await tenants.read(first?.change);
      expect(second?.tenants).toEqual(new Map());
      expect(await tenants.read(second?.change)).toBeUndefined();
    });

    it('is kept only while what it goes by is the latest', async () => {
      expect(await tenants.set('acme', { weight: 2 }, (await tenants.read())?.change)).toBe(true);
      const read = await tenants.read();
      expect(await tenants.set('other', { weight: 3 }, read?.change)).toBe(true);
      expect(await tenants.set('acme', { weight: 4 }, read?.change)).toBe(false);
      expect(await tenants.set('acme', undefined, read?.change)).toBe(false);
      expect((await tenants.read())?.tenants.get('acme')).toEqual({ weight: 2 });
    });

    it('says that it has changed', async () => {
      let changes = 0;
      const unsubscribe = await tenants.onChange(() => (changes += 1));
      await tenants.set('acme', { weight: 2 });
      await waitUntil(() => changes > 0, { description: 'the listener is called' });
      unsubscribe();
    });
  });
}
