import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientNews, SessionNews } from '../../libs/tasks/src/store/session-news.js';
import { waitUntil } from '../support/wait-until.js';
import type { ContractBackend } from './backends.js';
import { opening } from './opening.js';

/** What news for sessions keep to on every backend. */
export function sessionNewsContract({ name, open }: ContractBackend): void {
  describe(`news for sessions in ${name}`, () => {
    let sessionNews: SessionNews;
    beforeAll(opening(open, ({ backend }) => ({ sessionNews } = backend)));

    const newsOf = (data: string): ClientNews => ({ method: 'notifications/message', params: { level: 'info', data } });
    const arrived = (heard: readonly unknown[], count: number): Promise<unknown> =>
      waitUntil(() => heard.length === count, { description: `${count} news have arrived` });

    it('reach the listeners of their session only, in their order', async () => {
      const [session, other] = [randomUUID(), randomUUID()];
      const heard: ClientNews[] = [];
      const heardElsewhere: ClientNews[] = [];
      await sessionNews.listen(session, (news) => heard.push(news));
      await sessionNews.listen(other, (news) => heardElsewhere.push(news));
      await sessionNews.tell(session, newsOf('one'));
      await sessionNews.tell(session, newsOf('two'));
      await sessionNews.tell(other, newsOf('three'));
      await arrived(heardElsewhere, 1);
      await arrived(heard, 2);
      expect(heard).toEqual([newsOf('one'), newsOf('two')]);
      expect(heardElsewhere).toEqual([newsOf('three')]);
    });

    it('reach every listener when they are for all', async () => {
      const heard: ClientNews[] = [];
      await sessionNews.listenToAll((news) => heard.push(news));
      const unsubscribe = await sessionNews.listenToAll((news) => heard.push(news));
      await sessionNews.tellAll(newsOf('all'));
      await arrived(heard, 2);
      unsubscribe();
      await sessionNews.tellAll(newsOf('again'));
      await arrived(heard, 3);
      expect(heard.at(-1)).toEqual(newsOf('again'));
    });
  });
}
