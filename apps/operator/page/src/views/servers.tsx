/** Shows the servers behind the proxies of the deployment: all of them, or one with its processes and tools. */
import type { Server, ServerWithTools, ToolOfServer } from '../../../src/answers.js';
import { get, post } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import { Act } from '../parts/act.js';
import { FactList } from '../parts/facts.js';
import { Nothing, Shown } from '../parts/state.js';
import { type Column, Table } from '../parts/table.js';
import { Ago, timeText } from '../parts/time.js';
import { linkTo } from '../router.js';

type Measured = Pick<Server, 'calls' | 'errors' | 'running' | 'p50Ms' | 'p99Ms'>;

const MEASURED: readonly Column<Measured>[] = [
  { title: 'Calls', cell: ({ calls }) => calls.toLocaleString() },
  { title: 'Errors', cell: ({ errors }) => errors.toLocaleString() },
  { title: 'Running', cell: ({ running }) => running.toLocaleString() },
  { title: 'Half within', cell: ({ p50Ms }) => msText(p50Ms) },
  { title: '99 of 100 within', cell: ({ p99Ms }) => msText(p99Ms) },
];

const COLUMNS: readonly Column<Server>[] = [
  { title: 'Name', cell: ({ name }) => <a href={linkTo(['servers', name])}>{name}</a> },
  { title: 'State', cell: ({ state }) => <span class={state === 'away' ? 'bad' : ''}>{state}</span> },
  { title: 'Since', cell: ({ since }) => <Ago at={since} /> },
  ...MEASURED,
  { title: 'Note', cell: (server) => <span class="cut">{noteText(server) ?? ''}</span> },
];

export function Servers() {
  const list = useLoaded((signal) => get<{ servers: readonly Server[] }>('servers', {}, signal), [], true);
  return (
    <>
      <h1>Servers</h1>
      <Shown of={list}>
        {({ servers }) =>
          servers.length === 0 ? (
            <Nothing>No process that is alive has a proxied server.</Nothing>
          ) : (
            <Table label="Servers" columns={COLUMNS} rows={servers} keyOf={({ name }) => name} />
          )
        }
      </Shown>
    </>
  );
}

export function ServerView({ name }: { readonly name: string }) {
  const server = useLoaded((signal) => get<ServerWithTools>(pathOf(name), {}, signal), [name], true);
  return (
    <>
      <h1>{name}</h1>
      <Shown of={server}>{(found) => <Details server={found} changed={server.reload} />}</Shown>
    </>
  );
}

interface DetailsProps {
  readonly server: ServerWithTools;
  readonly changed: () => void;
}

const PROCESSES: readonly Column<Server['processes'][number]>[] = [
  { title: 'Process', cell: ({ role, process }) => `${role} ${process}` },
  { title: 'State', cell: ({ state }) => <span class={state === 'away' ? 'bad' : ''}>{state}</span> },
  { title: 'Since', cell: ({ since }) => <Ago at={since} /> },
  ...MEASURED,
  { title: 'Last error', cell: ({ lastError }) => <span class="cut">{lastError ?? ''}</span> },
];

function Details({ server, changed }: DetailsProps) {
  const { off, lastError, lastErrorAt, processes, tools } = server;
  const columns: readonly Column<ToolOfServer>[] = [
    { title: 'Tool', cell: ({ name }) => <code>{name}</code> },
    { title: 'Clients call it', cell: ({ as }) => (as === undefined ? 'not served' : <code>{as}</code>) },
    ...MEASURED,
    { title: 'Off', cell: ({ off: said }) => (said === undefined ? '' : `${said.by}: ${said.reason}`) },
    { title: 'Act', cell: (tool) => <Switch server={server.name} tool={tool.name} isOff={tool.off !== undefined} changed={changed} /> },
  ];
  return (
    <>
      {off !== undefined && <p class="failure">{`Off by ${off.by}: ${off.reason}`}</p>}
      <div class="actions">
        {off === undefined && (
          <Act label="Restart" done="All processes connect it again." isGrave act={actOn(server.name, 'restart', changed)}>
            <p class="quiet">Calls that run lose it.</p>
          </Act>
        )}
        <Switch server={server.name} isOff={off !== undefined} changed={changed} />
      </div>
      <FactList facts={factsOf(server)} />
      {lastError !== undefined && (
        <section aria-labelledby="last-error">
          <h2 id="last-error">{`Last error${lastErrorAt === undefined ? '' : `, ${timeText(lastErrorAt)}`}`}</h2>
          <pre tabIndex={0}>{lastError}</pre>
        </section>
      )}
      <h2>Processes</h2>
      <Table label="Processes" columns={PROCESSES} rows={processes} keyOf={({ process }) => process} />
      <h2>Tools</h2>
      {tools.length === 0 ? (
        <Nothing>None is known.</Nothing>
      ) : (
        <Table label="Tools" columns={columns} rows={tools} keyOf={({ name }) => name} />
      )}
    </>
  );
}

interface SwitchProps {
  readonly server: string;
  readonly tool?: string;
  readonly isOff: boolean;
  readonly changed: () => void;
}

/** Turns a server or one of its tools off, or on again. */
function Switch({ server, tool, isOff, changed }: SwitchProps) {
  const what = tool === undefined ? '' : ` ${tool}`;
  return isOff ? (
    <Act key="on" label={`Turn${what} on`} done="It is on again." act={actOn(server, 'on', changed, tool)} />
  ) : (
    <Act key="off" label={`Turn${what} off`} done="It is off." isGrave act={actOn(server, 'off', changed, tool)}>
      <p class="quiet">
        {tool === undefined
          ? 'No client is offered it, in any process. Calls that run lose it.'
          : 'No client is offered it, in any process.'}
      </p>
    </Act>
  );
}

function actOn(server: string, verb: 'restart' | 'off' | 'on', changed: () => void, tool?: string) {
  return async (reason: string): Promise<void> => {
    await post(`${pathOf(server)}/${verb}`, { reason, ...(tool !== undefined && { tool }) });
    changed();
  };
}

function pathOf(name: string): string {
  return `servers/${encodeURIComponent(name)}`;
}

function factsOf({
  transport,
  shown,
  state,
  since,
  about,
  connections,
  restarts,
}: ServerWithTools): readonly (readonly [string, string])[] {
  const says = about && [about.name, about.version, `protocol version ${about.protocolVersion}`].filter((text) => text !== undefined);
  return [
    [transport === 'stdio' ? 'Command' : 'URL', shown],
    ['State', `${state}, since ${timeText(since)}`],
    ...(says === undefined ? [] : [['Calls itself', says.join(', ')] as const]),
    ['Connections', String(connections)],
    ['Restarts', String(restarts)],
  ];
}

/** Why it is off or away, and which of its tools are off. */
function noteText({ off, state, lastError, toolsOff }: Server): string | undefined {
  if (off !== undefined) return `Off by ${off.by}: ${off.reason}`;
  if (state === 'away') return lastError;
  return toolsOff.length === 0 ? undefined : `Off: ${toolsOff.join(', ')}`;
}

function msText(value: number | undefined): string {
  return value === undefined ? '–' : `${Math.round(value).toLocaleString()} ms`;
}
