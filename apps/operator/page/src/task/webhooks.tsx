/** Shows the webhooks of a task, and what became of them. */
import type { TaskDetails } from '../../../src/answers.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

type Webhook = NonNullable<TaskDetails['webhooks']>[number];

const COLUMNS = [
  { title: 'Endpoint', cell: ({ endpoint }: Webhook) => <code>{endpoint}</code> },
  { title: 'Event', cell: ({ event }: Webhook) => event },
  { title: 'Status', cell: ({ status }: Webhook) => status },
  { title: 'Tries', cell: ({ tries }: Webhook) => tries, isNumber: true },
  { title: 'Latest try', cell: ({ triedAt }: Webhook) => (triedAt === undefined ? '–' : <Ago at={triedAt} />) },
  { title: 'Problem', cell: ({ problem }: Webhook) => problem ?? '–' },
] as const;

export function Webhooks({ task: { webhooks = [], webhooksLeftOut } }: { readonly task: TaskDetails }) {
  if (webhooks.length === 0) return null;
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <Table label="Webhooks of the task" columns={COLUMNS} rows={webhooks} keyOf={({ endpoint, version }) => `${endpoint} ${version}`} />
      {webhooksLeftOut !== undefined && <p class="quiet">{webhooksLeftOut} more were left out, because too many waited.</p>}
    </section>
  );
}
