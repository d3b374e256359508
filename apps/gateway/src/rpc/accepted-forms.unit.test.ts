import { describe, expect, it } from 'vitest';
import { acceptedForms } from './accepted-forms.js';

describe('the forms that a client takes', () => {
  it.each<[string | undefined, boolean, boolean]>([
    [undefined, true, true],
    ['', true, true],
    [' ', true, true],
    ['*/*', true, true],
    ['*', true, true],
    ['application/json, text/event-stream', true, true],
    ['Application/JSON,TEXT/Event-Stream', true, true],
    ['application/json', true, false],
    ['text/event-stream', false, true],
    ['application/*', true, false],
    ['text/*;q=0.1, application/json', true, true],
    ['text/html, image/gif, *; q=.2, */*; q=.2', true, true],
    ['application/json; charset=utf-8', true, false],
    ['application/json;q=0.5;v=1, text/event-stream;q=1', true, true],
    ['application/json, text/event-stream;q=0', true, false],
    ['*/*, application/json; Q=0.000', false, true],
    ['*/*;q=0', false, false],
    ['*/*;q=0, application/json', true, false],
    ['application/*;q=0, */*', false, true],
    ['text/html', false, false],
    ['application/jsonp, text/event-streams', false, false],
    [',', false, false],
  ])('%j: JSON %s, a stream %s', (accept, json, stream) => {
    expect(acceptedForms(accept)).toEqual({ json, stream });
  });
});
