import type { Method } from '../../rpc/method.js';

export const ping: Method = { name: 'ping', kind: 'reads', handle: () => ({}) };
