import { describe, expect, it } from 'vitest';
import { templateMatch } from './template-match.js';

describe('a URI is of a template', () => {
  it.each([
    ['a://{x}/notes', 'a://1/notes', true],
    ['a://{x}/notes', 'a://1/tasks', false],
    ['git://working-directory', 'git://working-directory', true],
    ['git://working-directory', 'git://working-directory/more', false],
    ['a://items{?limit,page}', 'a://items', true],
    ['a://items{?limit,page}', 'a://items?page=2', true],
    ['a://items{?limit,page}', 'a://items?limit=1&page=2', true],
    ['a://items{?limit,page}', 'a://others?page=2', false],
    ['a://{x}{?y}', 'a://1?y=2', true],
    ['a://at/{lat,long}/map', 'a://at/1,2/map', true],
    ['a://at/{lat,long}/map', 'a://at/1,2/list', false],
    ['a://at/{lat,long}/map', 'a://at//map', false],
    ['{scheme,host}', 'anything', true],
  ])('%s: %s is %s', (template, uri, isOf) => {
    expect(templateMatch(template)(uri)).toBe(isOf);
  });

  it('unless the template is not closed', () => {
    expect(() => templateMatch('a://{x}/{')).toThrow('{ is not closed.');
  });
});
