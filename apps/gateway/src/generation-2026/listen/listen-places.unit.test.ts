import { describe, expect, it } from 'vitest';
import { ListenPlaces } from './listen-places.js';

const refusal = (httpStatus: number) => expect.objectContaining({ httpStatus }) as Error;

describe('the places of streams', () => {
  it('are refused to an account that has its share, and given to others', () => {
    const places = new ListenPlaces(() => 2);
    places.take('ada');
    places.take('ada');
    expect(() => places.take('ada')).toThrow(refusal(429));
    expect(() => places.take('bob')).not.toThrow();
  });

  it('are refused to all when none is left', () => {
    const places = new ListenPlaces(() => 2, 2);
    places.take('ada');
    places.take('bob');
    expect(() => places.take('eve')).toThrow(refusal(503));
  });

  it('are free again when they are given back, once each', () => {
    const places = new ListenPlaces(() => 2);
    const [first] = [places.take('ada'), places.take('ada')];
    first?.();
    first?.();
    expect(() => places.take('ada')).not.toThrow();
    expect(() => places.take('ada')).toThrow(refusal(429));
  });
});
