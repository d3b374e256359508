/** Lists the commands that steer proxied servers. `servers` itself also looks at files: it is among the commands of the others. */
import { REASON_FLAG } from '../command-line/flags.js';
import type { Verb } from '../command-line/verb.js';

const load = () => import('./proxied-servers.js');

/** The commands. */
export const SERVER_VERBS: readonly Verb[] = [
  {
    usage: 'servers show NAME',
    summary: 'shows a proxied server, its state in each process, and its tools',
    run: async (context) => (await load()).showServer(context),
  },
  {
    usage: 'servers restart NAME',
    summary: 'connects a proxied server again in all processes; its running calls are lost',
    flags: [REASON_FLAG],
    run: async (context) => (await load()).restartServer(context),
  },
  {
    usage: 'servers off NAME[/TOOL]',
    summary: 'turns a proxied server or one of its tools off, in all processes, until it is turned on',
    flags: [REASON_FLAG],
    run: async (context) => (await load()).switchServer(context, 'off'),
  },
  {
    usage: 'servers on NAME[/TOOL]',
    summary: 'turns a proxied server or one of its tools on again',
    flags: [REASON_FLAG],
    run: async (context) => (await load()).switchServer(context, 'on'),
  },
];
