import { useState } from 'preact/hooks';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { Question } from '../api/wire.js';
import { QuestionForm } from '../forms/question-form.js';
import { Nothing, Shown } from '../parts/state.js';
import { shortId } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { linkTo } from '../router.js';

interface Page {
  readonly questions: readonly Question[];
  readonly cursor?: string;
}

/** What tasks ask, and the forms to answer it. */
export function Questions() {
  const [count, setCount] = useState(50);
  const page = useLoaded((signal) => get<Page>('questions', { limit: count }, signal), [count], true);
  return (
    <>
      <h1>Questions</h1>
      <Shown of={page}>
        {({ questions, cursor }) => (
          <>
            {questions.length === 0 && <Nothing>No task asks anything.</Nothing>}
            {questions.map((question) => (
              <section key={`${question.taskId} ${question.key}`} class="asking">
                <h2>
                  <a href={linkTo(['tasks', question.taskId])}>
                    {question.tool} <code>{shortId(question.taskId)}</code>
                  </a>{' '}
                  <span class="quiet">
                    of {question.owner}, <Ago at={question.since} />
                  </span>
                </h2>
                <QuestionForm question={question} answered={page.reload} tool={question.tool} />
              </section>
            ))}
            {cursor !== undefined && count < 200 && (
              <p class="actions">
                <button type="button" onClick={() => setCount(200)}>
                  Show more
                </button>
              </p>
            )}
          </>
        )}
      </Shown>
    </>
  );
}
