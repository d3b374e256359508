/** Arguments of node that make a process's time of day wrong, everywhere in it, and leave its timers alone. */
export function skewedBy(aheadMs: number): readonly string[] {
  const program = `
    const Right = Date;
    globalThis.Date = class Date extends Right {
      constructor(...given) { given.length === 0 ? super(Right.now() + ${aheadMs}) : super(...given); }
      static now() { return Right.now() + ${aheadMs}; }
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(program)}`];
}
