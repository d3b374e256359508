/** Shows the page: the operator, the route, and the view for it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { get, logOut } from './api/client.js';
import { forgetSession, session } from './api/session.js';
import { isConnected } from './api/stream.js';
import type { Operator } from '../../src/answers.js';
import { type Place, Shortcuts } from './keys/shortcuts.js';
import { Notices } from './parts/notices.js';
import { PausedNote } from './parts/pause.js';
import { linkTo, route, type Route } from './router.js';
import { Audit } from './views/audit.js';
import { BulkOperations } from './views/bulk.js';
import { Failed, FailureView } from './views/failed.js';
import { Login } from './views/login.js';
import { Overview } from './views/overview.js';
import { Questions } from './views/questions.js';
import { Schedules, ScheduleView } from './views/schedules.js';
import { Servers, ServerView } from './views/servers.js';
import { Start } from './views/start.js';
import { TaskList } from './views/task-list.js';
import { TaskView } from './views/task.js';
import { Tools, ToolView } from './views/tools.js';
import { Workers } from './views/workers.js';

interface View {
  readonly name: string;
  readonly title: string;
  readonly show: (route: Route) => ComponentChildren;
}

const VIEWS: readonly View[] = [
  { name: '', title: 'Overview', show: ({ query }) => <Overview query={query} /> },
  {
    name: 'tasks',
    title: 'Tasks',
    show: ({ path: [, taskId], query }) => (taskId === undefined ? <TaskList query={query} /> : <TaskView key={taskId} taskId={taskId} />),
  },
  { name: 'questions', title: 'Questions', show: ({ query }) => <Questions key={query['tool'] ?? ''} query={query} /> },
  {
    name: 'failures',
    title: 'Failures',
    show: ({ path: [, id], query }) => (id === undefined ? <Failed query={query} /> : <FailureView key={id} id={id} />),
  },
  {
    name: 'tools',
    title: 'Tools',
    show: ({ path: [, tool], query }) => (tool === undefined ? <Tools query={query} /> : <ToolView key={tool} name={tool} query={query} />),
  },
  { name: 'operations', title: 'Operations', show: ({ path: [, id] }) => <BulkOperations key={id ?? ''} id={id} /> },
  {
    name: 'schedules',
    title: 'Schedules',
    show: ({ path: [, name] }) => (name === undefined ? <Schedules /> : <ScheduleView key={name} name={name} />),
  },
  {
    name: 'servers',
    title: 'Servers',
    show: ({ path: [, name] }) => (name === undefined ? <Servers /> : <ServerView key={name} name={name} />),
  },
  { name: 'workers', title: 'Workers', show: () => <Workers /> },
  { name: 'audit', title: 'Audit', show: () => <Audit /> },
  { name: 'start', title: 'Start a tool', show: () => <Start /> },
];

export function App() {
  const operator = session.value;
  useEffect(() => {
    get<Operator>('me').then(
      (found) => (session.value = found),
      () => forgetSession(),
    );
  }, []);
  if (operator === 'unknown') return null;
  return operator === undefined ? <Login /> : <Desk operator={operator} />;
}

/** The views that an operator may use. */
function viewsFor({ role }: Operator): readonly View[] {
  return VIEWS.filter(({ name }) => name !== 'start' || role === 'operate');
}

function placesOf(operator: Operator): readonly Place[] {
  return viewsFor(operator).map(({ name, title }) => ({ title, path: name === '' ? [] : [name] }));
}

/** The page of a logged-in operator. */
function Desk({ operator }: { readonly operator: Operator }) {
  const main = useRef<HTMLElement>(null);
  const { path, query } = route.value;
  const view = VIEWS.find(({ name }) => name === (path[0] ?? ''));
  const place = path.join('/');
  useFocusOnChange(main, place);
  useEffect(() => {
    document.title = `${view?.title ?? 'Not found'} · Longhaul`;
  }, [view]);
  return (
    <>
      <header>
        <a class="skip" href={linkTo(path, query)} onClick={(event) => skipTo(event, main.current)}>
          Skip to the content
        </a>
        <span class="brand">Longhaul</span>
        <nav aria-label="Views">
          {viewsFor(operator).map(({ name, title }) => (
            <a key={name} href={linkTo([name])} aria-current={view?.name === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Shortcuts places={placesOf(operator)} />
        <span class="who">
          {operator.name}
          {operator.role === 'read' && ' (reads only)'}
        </span>
        <button type="button" onClick={() => void logOut()}>
          Log out
        </button>
      </header>
      {!isConnected.value && (
        <p class="offline" role="alert">
          Nothing comes from the server at the moment. What you see may be old; the page tries again by itself.
        </p>
      )}
      <PausedNote tool={path[0] === 'tools' ? path[1] : query['tool']} />
      <main ref={main} tabIndex={-1} id="content">
        {view === undefined ? <h1>There is no such view</h1> : view.show(route.value)}
      </main>
      <Notices />
    </>
  );
}

/** The focus moves to the new view, so that keyboard users continue there. */
function useFocusOnChange(main: { readonly current: HTMLElement | null }, place: string): void {
  const before = useRef(place);
  useEffect(() => {
    if (before.current !== place) main.current?.focus();
    before.current = place;
  }, [place]);
}

function skipTo(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}
