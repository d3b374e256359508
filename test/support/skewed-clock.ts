/** Makes arguments of node that change the time of day everywhere in a process, but not its timers. */
export function skewedBy(aheadMs: number): readonly string[] {
  const program = `
    const Right = Date;
    globalThis.Date = class Date extends Right {
      constructor(...given) { given.length === 0 ? super(Right.now() + ${aheadMs}) : super(...given); }
      static now() { return Right.now() + ${aheadMs}; }
    };`;
  return ['--import', `data:text/javascript,${encodeURIComponent(program)}`];
}
