/** Tests of a tool that undoes what it has done: npx vitest run book-trip */
import { runTool } from '@longhaul/mcp-features/testing';
import { expect, test } from 'vitest';
import { booked, bookTrip } from './book-trip.js';

const before = () => booked.clear();

test('books both', async () => {
  const { text } = await runTool(bookTrip, { city: 'Rome' }, { before });
  expect([text, ...booked]).toEqual(['flight to Rome, hotel in Rome', 'flight to Rome', 'hotel in Rome']);
});

test('books nothing in the end when the trip fails, whenever a worker dies', async () => {
  const after = () => expect(booked).toEqual(new Set());
  const { text } = await runTool(bookTrip, { city: 'Atlantis' }, { before, after, kills: true });
  expect(text).toBe('Atlantis is under water.');
});
