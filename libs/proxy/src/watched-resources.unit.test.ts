import { describe, expect, it } from 'vitest';
import { WatchedResources } from './watched-resources.js';

const [ADA, BOB] = ['user:ada', 'user:bob'];
const EVES = [1, 2].map((number) => `subject:17:https://a.example:4:evil:eve-${number}`);

describe('the resources that clients watch', () => {
  it('are those of all tenants, each once', () => {
    const watched = new WatchedResources(4);
    for (const [uri, account] of [
      ['a://1', ADA],
      ['a://1', BOB],
      ['a://2', BOB],
    ] as const)
      watched.add(uri, account);
    expect(watched.uris).toEqual(['a://1', 'a://2']);
  });

  it('are the latest of the tenant that watches most, whichever of its callers asks', () => {
    const watched = new WatchedResources(4);
    watched.add('a://ada', ADA);
    const gone = Array.from({ length: 6 }, (_, at) => watched.add(`a://${at}`, EVES[at % 2] ?? ''));
    expect(gone).toEqual([undefined, undefined, undefined, 'a://0', 'a://1', 'a://2']);
    expect(watched.add('a://bob', BOB)).toBe('a://3');
    expect(watched.uris).toEqual(['a://ada', 'a://4', 'a://5', 'a://bob']);
  });

  it('stay watched for a tenant when another one loses them, and when they are asked for again', () => {
    const watched = new WatchedResources(3);
    watched.add('a://both', ADA);
    for (const uri of ['a://both', 'a://1', 'a://2']) expect(watched.add(uri, BOB)).toBeUndefined();
    expect(watched.add('a://1', BOB)).toBeUndefined();
    expect(watched.add('a://3', BOB)).toBe('a://2');
    expect(watched.uris).toEqual(['a://both', 'a://1', 'a://3']);
  });
});
