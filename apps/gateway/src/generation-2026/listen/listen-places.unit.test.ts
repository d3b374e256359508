import { ownerOfSubject } from '@longhaul/tasks';
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

  it('are a quarter of all for one tenant', () => {
    const places = new ListenPlaces(() => 2, 16);
    const take = (tenant: string | undefined, name: string) => places.take(ownerOfSubject({ issuer: 'https://a.example', tenant, name }));
    const [first] = [take('acme', 'ada'), take('acme', 'ada'), take('acme', 'bob'), take('acme', 'bob')];
    expect(() => take('acme', 'eve')).toThrow(refusal(429));
    expect(() => take('globex', 'eve')).not.toThrow();
    expect(() => take(undefined, 'eve')).not.toThrow();
    first?.();
    expect(() => take('acme', 'eve')).not.toThrow();
  });

  it('are as many for a tenant as for one of its callers, where that may have more than a quarter', () => {
    const places = new ListenPlaces(() => 3, 4);
    for (let count = 0; count < 3; count++) places.take('ada');
    expect(() => places.take('ada')).toThrow(refusal(429));
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
