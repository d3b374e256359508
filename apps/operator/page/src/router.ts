/** Reads the view from the address, after its `#`. */
import { signal } from '@preact/signals';
import type { Query } from './api/client.js';

/** A view and what it shows: `#/tasks?status=failed`. */
export interface Route {
  /** The parts of its path. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path.split('/').filter((part) => part !== '');
  return { path: parts.map(decoded), query: Object.fromEntries(new URLSearchParams(search)) };
}

/** A text that is not encoded stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

export const route = signal(routeOf(location.hash));

/** The link to a view. */
export function linkTo(path: readonly string[], query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

/** Opens a view. */
export function goTo(path: readonly string[], query: Query = {}): void {
  location.hash = linkTo(path, query);
}

/** Follows the address. */
export function startRouter(): void {
  window.addEventListener('hashchange', () => (route.value = routeOf(location.hash)));
}
