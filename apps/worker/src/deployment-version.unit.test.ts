import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { deploymentVersion } from './deployment-version.js';

const registryOf = (...names: string[]) =>
  createFeatureRegistry(names.map((name) => defineTool({ name, description: 'Works', input: z.object({}), run: () => 'done' })));

it('is the version of the package and a hash, which is another one for other features', () => {
  const version = deploymentVersion(registryOf('one'));
  expect(version).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
  expect(deploymentVersion(registryOf('one'))).toBe(version);
  expect(deploymentVersion(registryOf('one', 'two'))).not.toBe(version);
});
