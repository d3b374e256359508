import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenAtAddress, ListenError } from '@longhaul/runtime/listen';
import { UserError } from './user-error.js';

/**
 * Checks that an app will be able to listen, before anything is started.
 *
 * @param variable the variable that chooses the port; the host's variable has HOST instead of PORT
 * @throws UserError with advice
 */
export async function requireFreePort(port: number, host: string, variable = 'PORT'): Promise<void> {
  const server = createServer();
  const listen = async (at: { readonly port: number; readonly host: string }): Promise<void> => {
    server.listen(at);
    await once(server, 'listening');
  };
  await listenAtAddress({ server, listen }, { port, host }, { port: variable, host: variable.replace('PORT', 'HOST') }).catch(
    (error: unknown) => {
      throw error instanceof ListenError ? new UserError(error.message) : error;
    },
  );
  server.close();
  await once(server, 'close');
}
