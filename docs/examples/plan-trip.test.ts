/** Tests of a tool that runs another one: npx vitest run plan-trip */
import { runTool } from '@longhaul/mcp-features/testing';
import { expect, test } from 'vitest';
import { findHotel, planTrip } from './plan-trip.js';

test('finds a hotel in each city, whenever a worker dies', async () => {
  const { text } = await runTool(planTrip, { cities: ['Rome', 'Oslo'] }, { tools: [findHotel], kills: true });
  expect(text).toBe('Hotel Rome, Hotel Oslo');
});

test('uses what the other tool finds', async () => {
  const found = { content: [], structuredContent: { hotel: 'Any hotel' } };
  const { text } = await runTool(planTrip, { cities: ['Rome'] }, { tools: { 'find-hotel': found } });
  expect(text).toBe('Any hotel');
});
