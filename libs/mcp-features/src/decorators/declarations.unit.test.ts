import { describe, expect, it } from 'vitest';
import { McpComplete } from './mcp-complete.js';
import { McpTool } from './mcp-tool.js';

/** Decorates as a compiler does that knows no types. */
function decorate(decorator: (...args: never) => void, context: unknown): void {
  Reflect.apply(decorator, undefined, [() => '', context]);
}

const tool = McpTool({ description: 'A tool' });

describe('a decorator', () => {
  it.each([
    ['a static method', { kind: 'method', name: 'make', static: true }, 'make'],
    ['a field', { kind: 'field', name: 'size', static: false }, 'size'],
    ['a getter', { kind: 'getter', name: Symbol('size'), static: false }, 'Symbol(size)'],
    ['a class', { kind: 'class', name: 'Shop' }, 'Shop'],
  ])('is not for %s', (_what, context, name) => {
    expect(() => decorate(tool, context)).toThrow(new TypeError(`@McpTool is for methods of the instance, which "${name}" is not.`));
  });

  it('is not for legacy decorators, which pass the name of the method', () => {
    const message = '@McpComplete is a standard decorator: compile without "experimentalDecorators".';
    expect(() => decorate(McpComplete({ prompt: 'a' }), 'method')).toThrow(new TypeError(message));
  });

  it('needs a name on a method that has none', () => {
    const context = { kind: 'method', name: Symbol('hidden'), static: false };
    expect(() => decorate(tool, context)).toThrow(new TypeError('@McpTool on Symbol(hidden) needs a name.'));
  });
});
