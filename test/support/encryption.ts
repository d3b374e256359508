/** Provides keys for tests of stores that encrypt. With `LONGHAUL_TEST_ENCRYPTION=1` all tests that open a store themselves encrypt it. */
import { createKeyRing } from '@longhaul/runtime/keys';
import type { EncryptionKeys } from '@longhaul/tasks';

/** A ring of one key. */
export function encryptionOf(secret = 'the key of the tests, of no use elsewhere'): EncryptionKeys {
  return { ring: createKeyRing({ name: 'of-tests', secret }) };
}

/** The keys of this run's stores. */
export const ENCRYPTION: EncryptionKeys | undefined = process.env['LONGHAUL_TEST_ENCRYPTION'] === '1' ? encryptionOf() : undefined;
