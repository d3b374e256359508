/** The members that have a value; the others may be absent. */
export type Stated<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** Leaves out the members without a value: on the wire they would be a difference. */
export function omitUndefined<T extends object>(members: T): Stated<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Stated<T>;
}
