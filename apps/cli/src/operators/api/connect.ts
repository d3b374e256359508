import type { Terminal } from '../../terminal.js';
import { OperatorApi } from './operator-api.js';

/** The operator API that the environment names, or that of this process when it names none. @throws UserError */
export async function connect(terminal: Terminal): Promise<OperatorApi> {
  const url = terminal.env['LONGHAUL_OPS_URL'];
  if (url !== undefined && url !== '') {
    const { createHttpTransport } = await import('./http-transport.js');
    return new OperatorApi(createHttpTransport(url, terminal.env['LONGHAUL_OPS_TOKEN']));
  }
  const { openLocalTransport } = await import('./local-transport.js');
  return new OperatorApi(await openLocalTransport(terminal));
}
