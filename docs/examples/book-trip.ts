/** A tool that undoes what it has done: LONGHAUL_FEATURES=docs/examples/book-trip.ts npm start */
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

export const booked = new Set<string>();
const book = (id: string) => [...booked.add(id)].at(-1) ?? id;
const cancel = (id: string) => void booked.delete(id);

export const bookTrip = defineTool({
  name: 'book-trip',
  description: 'Books a flight and a hotel, or neither',
  input: z.object({ city: z.string() }),
  task: 'optional',
  run: ({ city }, context) =>
    context.saga(async (saga) => {
      const flight = await saga.step('flight', () => book(`flight to ${city}`), cancel);
      const hotel = await saga.step('hotel', () => book(`hotel in ${city}`), cancel);
      if (city === 'Atlantis') throw new Error('Atlantis is under water.');
      return `${flight}, ${hotel}`;
    }),
});

export const features = [bookTrip];
