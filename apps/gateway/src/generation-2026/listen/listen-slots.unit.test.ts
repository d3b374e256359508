import { ownerOfSubject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { ListenSlots } from './listen-slots.js';

const refusal = (httpStatus: number) => expect.objectContaining({ httpStatus }) as Error;

describe('the slots of streams', () => {
  it('are refused to an account that has its share, and given to others', () => {
    const slots = new ListenSlots(() => 2);
    slots.take('ada');
    slots.take('ada');
    expect(() => slots.take('ada')).toThrow(refusal(429));
    expect(() => slots.take('bob')).not.toThrow();
  });

  it('are a quarter of all for one tenant', () => {
    const slots = new ListenSlots(() => 2, 16);
    const take = (tenant: string | undefined, name: string) => slots.take(ownerOfSubject({ issuer: 'https://a.example', tenant, name }));
    const [first] = [take('acme', 'ada'), take('acme', 'ada'), take('acme', 'bob'), take('acme', 'bob')];
    expect(() => take('acme', 'eve')).toThrow(refusal(429));
    expect(() => take('globex', 'eve')).not.toThrow();
    expect(() => take(undefined, 'eve')).not.toThrow();
    first?.();
    expect(() => take('acme', 'eve')).not.toThrow();
  });

  it('are as many for a tenant as for one of its callers, where that may have more than a quarter', () => {
    const slots = new ListenSlots(() => 3, 4);
    for (let count = 0; count < 3; count++) slots.take('ada');
    expect(() => slots.take('ada')).toThrow(refusal(429));
  });

  it('are refused to all when none is left', () => {
    const slots = new ListenSlots(() => 2, 2);
    slots.take('ada');
    slots.take('bob');
    expect(() => slots.take('eve')).toThrow(refusal(503));
  });

  it('are free again when they are given back, once each', () => {
    const slots = new ListenSlots(() => 2);
    const [first] = [slots.take('ada'), slots.take('ada')];
    first?.();
    first?.();
    expect(() => slots.take('ada')).not.toThrow();
    expect(() => slots.take('ada')).toThrow(refusal(429));
  });
});
