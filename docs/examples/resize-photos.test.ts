/** Tests of a tool that works on many items: npx vitest run resize-photos */
import { runTool } from '@longhaul/mcp-features/testing';
import { expect, test } from 'vitest';
import { resizePhotos } from './resize-photos.js';

test('resizes each photo, whenever a worker dies', async () => {
  const { text } = await runTool(resizePhotos, { photos: ['a', 'b', 'c'] }, { kills: true });
  expect(text).toBe('small a, small b, small c');
});
