import { describe, expect, it } from 'vitest';
import { AnswerBook } from './answer-book.js';
import { QuestionDesk } from './question-desk.js';
import { type Answer, type Question, questionOf, valueOf } from './question.js';

const ask = (message: string): Question => questionOf('elicitation', { message });
const yes = (text: string): Answer => ({ value: { action: 'accept', content: { text } } });
const never = new AbortController().signal;

describe('a question', () => {
  it('is the same on any connection', () => {
    expect(questionOf('elicitation', { message: 'Who?', _meta: { id: 1 }, task: { ttl: 1 } })).toEqual(ask('Who?'));
  });

  it('has an answer, or the reason why there is none', () => {
    expect(valueOf(yes('Ada'))).toEqual({ action: 'accept', content: { text: 'Ada' } });
    expect(() => valueOf({ error: 'nobody is there' })).toThrow('nobody is there');
  });
});

describe('the book of answers', () => {
  it('gives each answer to one question of a try, and to the next try again', () => {
    const book = new AnswerBook();
    book.add(ask('Who?'), yes('first'));
    book.add(ask('Who?'), yes('second'));
    for (let attempt = 0; attempt < 2; attempt++) {
      const open = book.open();
      expect([open.find(ask('Who?')), open.find(ask('Who?')), open.find(ask('Who?'))]).toEqual([yes('first'), yes('second'), undefined]);
      expect(open.find(ask('What?'))).toBeUndefined();
      expect(open.given).toHaveLength(2);
    }
  });

  it('forgets what was given', () => {
    const book = new AnswerBook();
    book.add(ask('Who?'), yes('first'));
    book.add(ask('Who?'), yes('second'));
    const open = book.open();
    open.find(ask('Who?'));
    book.drop(open.given);
    expect(book.open().find(ask('Who?'))).toEqual(yes('second'));
    book.drop(['unknown']);
  });
});

describe('the desk of a call that is under way', () => {
  it('hands its questions to the workflow, and the answers back', async () => {
    const desk = new QuestionDesk();
    const next = desk.next(never);
    const answers = [desk.ask(ask('Who?')), desk.ask(ask('Who?'))];
    expect(await next).toEqual(ask('Who?'));
    desk.relay(ask('Who?'), Promise.resolve(yes('first')));
    expect(await desk.next(never)).toEqual(ask('Who?'));
    desk.relay(ask('Who?'), Promise.resolve(yes('second')));
    expect(await Promise.all(answers)).toEqual([yes('first'), yes('second')]);
  });

  it('has the answers of an earlier pass before they are asked for', async () => {
    const desk = new QuestionDesk();
    desk.relay(ask('Who?'), Promise.resolve(yes('Ada')));
    expect(await desk.ask(ask('Who?'))).toEqual(yes('Ada'));
    const next = desk.next(never);
    void desk.ask(ask('Who?'));
    expect(await next).toEqual(ask('Who?'));
  });

  it('has no more questions once the call is over, and none for a pass that is over', async () => {
    const desk = new QuestionDesk();
    const next = desk.next(never);
    desk.close();
    expect(await next).toBeUndefined();
    const over = new AbortController();
    const waiting = new QuestionDesk().next(over.signal);
    over.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
  });
});
