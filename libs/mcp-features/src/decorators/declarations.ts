/**
 * Keeps the declarations of a class's decorators for each instance.
 *
 * A decorated method declares itself when an instance is made. So the declarations stand in the order in which the methods are written,
 * base classes first. The method is looked up in the instance at every call. So private methods work, and a subclass may override a method
 * without decorating it again. If the subclass decorates it, its declaration replaces the base class's at the same position.
 */
import type { Completer } from '../completion.js';
import type { ResourceTemplateSpec } from '../define-resource-template.js';
import { standsFor } from '../feature-code.js';
import type { Feature } from '../feature.js';

/** The parts that other methods of the class add to a feature. */
export interface Additions {
  readonly completers: Readonly<Record<string, Completer>>;
  readonly list: ResourceTemplateSpec<string>['list'];
}

/** A prompt or a template, to which methods may add. */
export interface Target {
  /** Such as `prompt "forecast"`, which is also what it is called in errors. */
  readonly label: string;
  /** The arguments that can be completed. */
  readonly arguments: readonly string[];
}

/** The declaration of one decorator about its method. */
export type Declaration =
  | { readonly kind: 'feature'; readonly target?: Target; readonly define: (additions: Additions) => Feature }
  | { readonly kind: 'completion'; readonly of: string; readonly argument: string; readonly complete: Completer }
  | { readonly kind: 'list'; readonly of: string; readonly list: NonNullable<Additions['list']> };

/** A declaration, and the name of the method that it is of. */
export type NamedDeclaration = Declaration & { readonly method: string };

/**
 * A decorator of methods that take these parameters. A method that asks for more than it gets does not compile, and neither
 * does one that returns something else.
 */
export type FeatureMethod<Parameters extends readonly unknown[], Returned> = <This extends object>(
  method: (this: This, ...parameters: Parameters) => Returned | Promise<Returned>,
  context: ClassMethodDecoratorContext<This> & { readonly static: false },
) => void;

/** Makes a declaration of a method that is bound to its instance. */
type Declare<Parameters extends readonly unknown[], Returned> = (
  bound: (...parameters: Parameters) => Returned | Promise<Returned>,
) => Declaration;

interface Declared {
  readonly method: object;
  readonly declarations: NamedDeclaration[];
}

const declaredBy = new WeakMap<object, Map<PropertyKey | object, Declared>>();

/**
 * A decorator that declares something of its method.
 *
 * @throws TypeError for anything but a method of the instance, and under a compiler's legacy decorators
 */
export function declaring<Parameters extends readonly unknown[], Returned>(
  decorator: string,
  declarationFor: (name: PropertyKey) => Declare<Parameters, Returned>,
): FeatureMethod<Parameters, Returned> {
  return (method, context) => {
    checkPlace(decorator, context);
    const { name } = context;
    const declare = declarationFor(name);
    const key = context.private ? method : name;
    context.addInitializer(function () {
      const call = (...parameters: Parameters) => Reflect.apply(methodOf(this, context), this, parameters) as Returned | Promise<Returned>;
      add(this, key, method, { ...declare(standsFor(call, method)), method: String(name) });
    });
  };
}

/**
 * The method as the instance has it now. Compilers differ in the use of `access`. Compilers for an earlier state of the standard need the
 * instance as `this`, and see no override of a public method.
 */
function methodOf<This extends object>(instance: This, { name, private: isPrivate, access }: ClassMethodDecoratorContext<This>) {
  return isPrivate ? access.get.call(instance, instance) : (Reflect.get(instance, name) as (this: This) => unknown);
}

/** The declarations of the instance's class, in the order in which they are written. */
export function declarationsOf(instance: object): readonly NamedDeclaration[] {
  return [...(declaredBy.get(instance)?.values() ?? [])].flatMap(({ declarations }) => declarations);
}

function add(instance: object, key: PropertyKey | object, method: object, declaration: NamedDeclaration): void {
  const declared = declaredBy.get(instance) ?? new Map<PropertyKey | object, Declared>();
  declaredBy.set(instance, declared);
  const before = declared.get(key);
  // Of several decorators on one method, the lowest comes first.
  if (before?.method === method) before.declarations.unshift(declaration);
  else declared.set(key, { method, declarations: [declaration] });
}

function checkPlace(decorator: string, context: unknown): void {
  if (typeof context !== 'object' || context === null || !('kind' in context))
    throw new TypeError(`@${decorator} is a standard decorator: compile without "experimentalDecorators".`);
  const { kind, name, static: isStatic } = context as { kind: string; name: string | symbol; static?: boolean };
  if (kind !== 'method' || isStatic === true)
    throw new TypeError(`@${decorator} is for methods of the instance, which "${String(name)}" is not.`);
}
