/** Tests servers of a durable run that are processes: each lives for one pass, and the data in its memory ends with it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alive, familyOf } from '../../cli/support/launcher.js';
import { rejection } from '../../client/support/clients.js';
import { waitUntil } from '../../support/wait-until.js';
import type { Process } from '../../support/deployment.js';
import { AgentDeployment, answerOf, calling, toolResultsOf } from '../support/agent-deployment.js';
import { ServersPlace } from '../../servers/support/servers.js';

const place = new ServersPlace();
let agent: AgentDeployment;
let worker: Process;
beforeAll(async () => {
  const server = (more: object = {}) => place.stdio({ ask: { echo: 'always', '*': 'never' }, ...more });
  const remember = [
    calling(['read_environment', {}]),
    calling(['echo', { message: 'hello' }]),
    calling(['read_environment', {}]),
    { content: 'Done.' },
  ];
  agent = await AgentDeployment.start({
    servers: { remembering: server(), stateless: server({ stateless: true }), stubborn: inShell(server({ env: { STUBBORN: '1' } })) },
    plans: {
      Remember: remember,
      Wait: [calling(['wait', {}])],
      'Go on after its end': [calling(['die', {}]), calling(['read_environment', {}], ['read_environment', {}]), { content: 'Done.' }],
    },
  });
  worker = await agent.deployment.worker();
});
afterAll(async () => {
  await agent.close();
  await place.close();
});

/** A server as npx starts it: by a shell that waits for it. */
function inShell({ command, args, ...entry }: { readonly command?: string; readonly args?: readonly string[] }): object {
  return { ...entry, command: '/bin/sh', args: ['-c', '"$0" "$@"; exit $?', command, ...(args ?? [])] };
}

const pidOf = (result: unknown): number => Number(/"OWN_PID":(\d+)/.exec(String(result))?.[1]);
const LOSS = 'was started again before this call';

const atLeast = (count: number, pids: readonly number[]) => (pids.length < count ? undefined : pids);

describe('a process of a run', () => {
  it('is another one after the run has waited for somebody, and the model reads what is lost', async () => {
    const client = await agent.client({ onInput: { elicitation: () => ({ action: 'accept', content: { answer: 'once' } }) } });
    const run = async (server: string) =>
      toolResultsOf(answerOf(await client.callTool('run-agent', { prompt: 'Remember', servers: [server] })));
    const [before, asked, after] = await run('remembering');
    expect(String(before)).not.toContain(LOSS);
    expect(String(asked)).toMatch(new RegExp(`${LOSS}[^]*hello`));
    expect(String(after)).not.toContain(LOSS);
    expect(pidOf(after)).not.toBe(pidOf(before));
    await waitUntil(() => alive([pidOf(before), pidOf(after)]).length === 0, { description: 'no process is left' });
    expect((await run('stateless'))[1]).toBe('hello');
  });

  it('that has ended by itself is replaced by one, also for calls at the same time, and none is left', async () => {
    const client = await agent.client();
    const answer = answerOf(await client.callTool('run-agent', { prompt: 'Go on after its end', servers: ['stateless'] }));
    const pids = toolResultsOf(answer).slice(1).map(pidOf);
    expect(pids[1]).toBe(pids[0]);
    await waitUntil(() => alive(pids).length === 0, { description: 'no process is left' });
  });

  it('ends when the run is cancelled, after its call has been', async () => {
    const client = await agent.client();
    const abort = new AbortController();
    const called = rejection(client.callTool('run-agent', { prompt: 'Wait', servers: ['stateless'] }, { signal: abort.signal }));
    await place.noted('waiting');
    abort.abort(new Error('enough'));
    await called;
    await place.noted('cancelled');
  });

  it('ends when its worker is killed, with what it has started, though it ignores the end of its input and SIGTERM', async () => {
    const client = await agent.client();
    const abort = new AbortController();
    const called = rejection(client.callTool('run-agent', { prompt: 'Wait', servers: ['stubborn'] }, { signal: abort.signal }));
    await place.noted('waiting stubbornly');
    const running = await waitUntil(() => atLeast(3, familyOf(worker.child.pid ?? 0).slice(1)), {
      description: 'shell, server and reaper run',
    });
    worker.child.kill('SIGKILL');
    await waitUntil(() => alive(running).length === 0, { description: 'none of them is left' });
    abort.abort(new Error('enough'));
    await called;
  });
});
