/** A tool that works on many items: LONGHAUL_FEATURES=docs/examples/resize-photos.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const resizePhotos = defineTool({
  name: 'resize-photos',
  description: 'Resizes photos',
  input: z.object({ photos: z.array(z.string()) }),
  task: 'optional',
  async run({ photos }, context) {
    const resize = (photo: string) => context.step('resize', () => `small ${photo}`);
    const small = await context.all(photos, resize, { concurrency: 5 });
    return small.join(', ');
  },
});

export const features = [resizePhotos];
