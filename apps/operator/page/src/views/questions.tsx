import { useState } from 'preact/hooks';
import { get } from '../api/client.js';
import { useLoaded } from '../api/loaded.js';
import type { Question } from '../../../src/answers.js';
import { QuestionForm } from '../forms/question-form.js';
import { Nothing, Shown } from '../parts/state.js';
import { shortId } from '../parts/status.js';
import { Ago } from '../parts/time.js';
import { linkTo } from '../router.js';

interface Page {
  readonly questions: readonly Question[];
  readonly cursor?: string;
}

/** Questions on one page. */
const LIMIT = 50;

/** The next page with questions, or the last page: an agent's questions to its user take room on pages, but are not shown. */
async function nextPage(tool: string | undefined, after: string | undefined, signal: AbortSignal): Promise<Page> {
  for (let cursor = after; ;) {
    const page = await get<Page>('questions', { tool, limit: LIMIT, cursor }, signal);
    if (page.questions.length > 0 || page.cursor === undefined) return page;
    cursor = page.cursor;
  }
}

/** The questions of tasks, and the forms to answer them. */
export function Questions({ query: { tool } }: { readonly query: Readonly<Record<string, string>> }) {
  const [after, setAfter] = useState<string | undefined>(undefined);
  const page = useLoaded((signal) => nextPage(tool, after, signal), [tool, after], true);
  return (
    <>
      <h1>Questions{tool !== undefined && ` of ${tool}`}</h1>
      {tool !== undefined && <a href={linkTo(['questions'])}>All questions</a>}
      <Shown of={page}>
        {({ questions, cursor }) => (
          <>
            {questions.length === 0 && <Nothing>{after === undefined ? 'No task asks anything.' : 'No older task asks anything.'}</Nothing>}
            {questions.map((question) => (
              <section key={`${question.taskId} ${question.key}`} class="asking">
                <h2>
                  <a href={linkTo(['tasks', question.taskId])}>
                    {question.tool} <code>{shortId(question.taskId)}</code>
                  </a>{' '}
                  <span class="quiet">
                    of {question.owner}, <Ago at={question.since} />
                  </span>{' '}
                  {tool === undefined && <a href={linkTo(['questions'], { tool: question.tool })}>Only {question.tool}</a>}
                </h2>
                <QuestionForm question={question} answered={page.reload} tool={question.tool} />
              </section>
            ))}
            {(after !== undefined || cursor !== undefined) && (
              <p class="actions">
                <button type="button" disabled={after === undefined} onClick={() => setAfter(undefined)}>
                  Newest questions
                </button>
                <button type="button" disabled={cursor === undefined} onClick={() => setAfter(cursor)}>
                  Older questions
                </button>
              </p>
            )}
          </>
        )}
      </Shown>
    </>
  );
}
