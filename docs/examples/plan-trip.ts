/** A tool that runs other tools: LONGHAUL_FEATURES=docs/examples/plan-trip.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const findHotel = defineTool({
  name: 'find-hotel',
  description: 'Finds a hotel in a city',
  input: z.object({ city: z.string() }),
  output: z.object({ hotel: z.string() }),
  task: 'optional',
  run: async ({ city }, context) => ({ hotel: await context.step('search', () => `Hotel ${city}`) }),
});

export const planTrip = defineTool({
  name: 'plan-trip',
  description: 'Finds a hotel in each city',
  input: z.object({ cities: z.array(z.string()) }),
  task: 'optional',
  async run({ cities }, context) {
    const found = await Promise.all(cities.map((city) => context.call(findHotel, { city })));
    return found.map(({ structuredContent }) => structuredContent.hotel).join(', ');
  },
});

export const features = [findHotel, planTrip];
