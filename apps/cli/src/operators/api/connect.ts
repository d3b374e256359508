import type { Terminal } from '../../terminal.js';
import { UserError } from '../../user-error.js';
import { EXIT } from './exit-codes.js';
import { OperatorApi } from './operator-api.js';
import { withServed } from '../../served.js';
import { withFeatures } from '../../with-features.js';

/**
 * Connects to the operator API that the environment names, or else to the API of this process.
 *
 * @param features the modules with the tools that the API of this process can start, instead of those of the environment or of the
 *   deployment of the data folder
 * @throws UserError
 */
export async function connect(terminal: Terminal, features?: string): Promise<OperatorApi> {
  const url = terminal.env['LONGHAUL_OPS_URL'];
  if (url !== undefined && url !== '') {
    if (features !== undefined)
      throw new UserError('--features is for a store of your own: the API of LONGHAUL_OPS_URL has its tools', EXIT.usage);
    const { createHttpTransport } = await import('./http-transport.js');
    return new OperatorApi(createHttpTransport(url, terminal.env['LONGHAUL_OPS_TOKEN']));
  }
  const { openLocalTransport } = await import('./local-transport.js');
  return new OperatorApi(await openLocalTransport(withFeatures(await withServed(terminal), features)));
}
