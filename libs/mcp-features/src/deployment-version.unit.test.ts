import { expect, it } from 'vitest';
import { deploymentVersion } from './deployment-version.js';

it('is that of the package with the fingerprint of the features, unless the operator names one', () => {
  expect(deploymentVersion({ fingerprint: '0123456789ab' })).toMatch(/^\d+\.\d+\.\d+\+0123456789ab$/);
  expect(deploymentVersion({ fingerprint: '0123456789ab' }, '2026-11-22.3')).toBe('2026-11-22.3');
});
