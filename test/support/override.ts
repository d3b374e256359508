/** Replaces some members of an object; the others stay its own, private ones too. */
export function override<T extends object>(object: T, members: Partial<T>): T {
  return new Proxy(object, {
    get(target, name): unknown {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const own: unknown = Reflect.get(target, name, target);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
}
