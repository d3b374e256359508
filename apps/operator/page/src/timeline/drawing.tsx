/** Draws bars and their axis. Places are shares of the width, so that a drawing fits any width without a look at it. */
import { durationText } from '../parts/time.js';
import type { Bar } from './bars.js';
import { placeOf } from './place-of.js';

const HEIGHT = 14;
const AXIS_HEIGHT = 20;
const TICKS = 5;

export interface BarsProps {
  readonly bars: readonly Bar[];
  readonly span: { readonly from: number; readonly to: number };
}

/** The words of the row say the same. */
export function Bars({ bars, span }: BarsProps) {
  return (
    <svg width="100%" height={HEIGHT} aria-hidden="true">
      {bars.map((bar, at) => {
        const { left, width } = placeOf(bar, span);
        return (
          <rect key={at} class={`bar ${bar.look}`} x={`${left}%`} y="1" width={`${width}%`} height={HEIGHT - 2} rx="2">
            <title>{bar.name === '' ? bar.text : `${bar.name}: ${bar.text}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

/** Time since the beginning. */
export function Axis({ lengthMs, zoom }: { readonly lengthMs: number; readonly zoom: number }) {
  const ticks = TICKS * zoom;
  return (
    <svg class="axis" width="100%" height={AXIS_HEIGHT} role="img" aria-label={`Time, up to ${durationText(lengthMs)}`}>
      {Array.from({ length: ticks + 1 }, (_, at) => at / ticks).map((place) => (
        <g key={place}>
          <line x1={`${100 * place}%`} x2={`${100 * place}%`} y1={AXIS_HEIGHT - 4} y2={AXIS_HEIGHT} />
          <text x={`${100 * place}%`} y={AXIS_HEIGHT - 7} text-anchor={place === 0 ? 'start' : place === 1 ? 'end' : 'middle'}>
            {durationText(place * lengthMs)}
          </text>
        </g>
      ))}
    </svg>
  );
}
