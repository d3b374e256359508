/** A web application that starts a durable tool: npx node docs/examples/hotel-app.ts [data file] [port] */
import { createServer } from 'node:http';
import { createStarter } from '@longhaul/mcp-features/start';
import { findHotel } from './plan-trip.ts';

const [dataFile = '.longhaul/longhaul.db', port = '8080'] = process.argv.slice(2);
const starter = await createStarter({ dataFile, name: 'travel-site' });

/** Finds a hotel for a booking: the same one, however often the browser asks. */
async function hotelFor(booking: string, city: string): Promise<string> {
  const task = await starter.start(findHotel, { city }, { idempotencyKey: booking });
  const { structuredContent } = await starter.result(task, { timeoutMs: 60_000 });
  return structuredContent.hotel;
}

const server = createServer(({ url = '' }, response) => {
  const [, booking = '', city = ''] = url.split('/');
  hotelFor(booking, city).then(
    (hotel) => response.end(hotel),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => server.close(() => void starter.close()));
