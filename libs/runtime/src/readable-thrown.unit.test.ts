import { describe, expect, it } from 'vitest';
import { readableThrown } from './readable-thrown.js';

function no(): never {
  throw new Error('no');
}

function withGetter(name: string, of: object = new Error('x')): object {
  return Object.defineProperty(of, name, { get: no, enumerable: true });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const circular = new Error('circular');
circular.cause = circular;

describe('what was thrown', () => {
  it.each<[string, unknown]>([
    ['a getter of its message', withGetter('message')],
    ['a getter of its name', withGetter('name')],
    ['a getter of its stack', withGetter('stack')],
    ['a getter of its code', withGetter('code')],
    ['a getter of a member, and it is no error', withGetter('message', {})],
    ['a cause that cannot be read', new Error('x', { cause: withGetter('message') })],
    ['an error of several that cannot be read', new AggregateError([withGetter('message')], 'x')],
    ['a name that is no text', Object.assign(new Error('x'), { name: Object.create(null) as unknown })],
    ['a proxy that throws', new Proxy({}, { get: no, ownKeys: no, getPrototypeOf: no, has: no })],
    ['a proxy that was revoked', revoked()],
  ])('is replaced by an error that says so: %s', (_, thrown) => {
    expect(readableThrown(thrown)).toEqual(new Error('It threw an object that cannot be read.'));
  });

  it.each<[string, unknown]>([
    ['an error', new TypeError('x')],
    ['an error that is its own cause', circular],
    ['an object', { message: 'x' }],
    ['null', null],
    ['undefined', undefined],
    ['a symbol', Symbol('x')],
    ['a function', no],
  ])('stays as it is: %s', (_, thrown) => {
    expect(readableThrown(thrown)).toBe(thrown);
  });
});
