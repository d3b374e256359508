/** A small chart of counts, one bar each; its text says the same. */
export function Spark({ counts, label }: { readonly counts: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...counts);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${counts.length * 4} 20`}
      role="img"
      aria-label={`${label}: ${all}, at most ${Math.max(0, ...counts)}`}
    >
      {counts.map((count, at) => {
        const height = count === 0 ? 1 : 2 + (18 * count) / most;
        return <rect key={at} x={at * 4} y={20 - height} width={3} height={height} class={count === 0 ? 'none' : ''} />;
      })}
    </svg>
  );
}
