// Follows the task of a reference, and writes how it ended: the process that a client of tasks hands its task over to.
import { connectTaskClient } from '../../support/ext-tasks.ts';

const [url = '', reference = ''] = process.argv.slice(2);
const client = await connectTaskClient(url, '2026-07-28');
const { outcome } = await (await client.session.resumeTask(JSON.parse(reference))).settle();
process.stdout.write(JSON.stringify(outcome));
await client.close();
