import { describe, expect, it } from 'vitest';
import type { Feed } from '../../../src/feed/feed';
import type { Scalar } from '../../../src/feed/frame';
import type { PlotQuestion } from '../../../src/plot/plot';
import { Questions } from '../../../src/views/questions';

function setUp(): {
  asked: string[];
  answers: string[];
  changes: number[];
  answer: (value: Scalar | Error) => Promise<void>;
  questions: Questions;
} {
  const [asked, answers, changes]: [string[], string[], number[]] = [[], [], []];
  let settle: (value: Scalar | Error) => void = () => undefined;
  const feed = {
    request: (name: string, args: unknown): Promise<Scalar> => {
      asked.push(`${name} ${JSON.stringify(args)}`);
      return new Promise((resolve, reject) => {
        settle = value => (value instanceof Error ? reject(value) : resolve(value));
      });
    }
  } as unknown as Feed;
  const questions = new Questions(feed, () => changes.push(answers.length));
  const answer = async (value: Scalar | Error): Promise<void> => {
    settle(value);
    await new Promise(resolve => setTimeout(resolve));
  };
  return { asked, answers, changes, answer, questions };
}

const question = (worker: number, answers: string[]): PlotQuestion => ({
  about: `worker ${worker}`,
  name: 'series',
  args: { worker },
  take: answer => answers.push(String(answer)),
  fail: reason => answers.push(reason)
});

describe('Questions', () => {
  it('asks at once, never two at a time, and again after two seconds', async () => {
    const { asked, answers, changes, answer, questions } = setUp();
    questions.ask(question(1, answers), 0);
    questions.ask(question(2, answers), 100);
    expect(asked).toEqual(['series {"worker":1}']);
    await answer('one');
    expect([answers, changes]).toEqual([['one'], [1]]);
    questions.ask(question(1, answers), 500);
    expect(asked).toHaveLength(1);
    questions.ask(question(1, answers), 2000);
    expect(asked).toHaveLength(2);
  });

  it('asks another question at once, and none where there is none', async () => {
    const { asked, answers, answer, questions } = setUp();
    questions.ask(null, 0);
    questions.ask(question(1, answers), 0);
    await answer('one');
    questions.ask(question(2, answers), 1);
    expect(asked).toEqual(['series {"worker":1}', 'series {"worker":2}']);
    new Questions(null, () => undefined).ask(question(3, answers), 0);
    expect(asked).toHaveLength(2);
  });

  it('passes on the message of a refusal, and continues', async () => {
    const { asked, answers, answer, questions } = setUp();
    questions.ask(question(1, answers), 0);
    await answer(new Error('The client is closed.'));
    expect(answers).toEqual(['The client is closed.']);
    questions.ask(question(1, answers), 3000);
    expect(asked).toHaveLength(2);
  });
});
