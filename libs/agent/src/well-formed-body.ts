import { wellFormedJson } from '@longhaul/tasks/text';

/** The request with JSON that has no halves of characters: strict servers refuse all of it for one. */
export function withWellFormedBody(init: RequestInit): RequestInit {
  return typeof init.body === 'string' ? { ...init, body: wellFormedJson(init.body) } : init;
}
