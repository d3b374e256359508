/** Keys for tests of stores that encrypt. `LONGHAUL_TEST_ENCRYPTION=1` has the stores of all tests encrypt that open one by themselves. */
import { createKeyRing } from '@longhaul/runtime/keys';
import type { EncryptionKeys } from '@longhaul/tasks';

/** A ring of one key. */
export function encryptionOf(secret = 'the key of the tests, of no use elsewhere'): EncryptionKeys {
  return { ring: createKeyRing({ name: 'of-tests', secret }) };
}

/** What the stores of this run encrypt with. */
export const ENCRYPTION: EncryptionKeys | undefined = process.env['LONGHAUL_TEST_ENCRYPTION'] === '1' ? encryptionOf() : undefined;
