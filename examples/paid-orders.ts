/**
 * Orders that are paid elsewhere, approved above an amount, and reconciled every night. PAYMENT_SECRET is the secret of the payment service:
 * PAYMENT_SECRET=whsec_… LONGHAUL_PUBLIC_URL=http://localhost:3000/mcp LONGHAUL_FEATURES=./examples/paid-orders.ts LONGHAUL_SCHEDULES=./examples/paid-orders.json npm start
 */
import { appendFile, readFile } from 'node:fs/promises';
import { defineTool } from '@longhaul/mcp-features';
import { z } from 'zod';

const APPROVAL_ABOVE = 500;
const DAY_MS = 86_400_000;

/** The journal stands for the systems of a shop. A step that runs again after a crash writes its line again, with the same key. */
const journal = (): string => process.env['ORDERS_FILE'] ?? 'orders.jsonl';

interface Entry {
  readonly key: string;
  readonly event: 'invoiced' | 'placed' | 'reconciled';
  readonly orderId?: string;
  readonly amount?: number;
}

async function write(entry: Entry & Readonly<Record<string, unknown>>): Promise<void> {
  await appendFile(journal(), `${JSON.stringify(entry)}\n`);
}

/** The entries of the journal, each once. */
async function entries(): Promise<readonly Entry[]> {
  const lines = (await readFile(journal(), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return [...new Map(lines.map((line) => JSON.parse(line) as Entry).map((entry) => [entry.key, entry])).values()];
}

/** A webhook about another amount is refused. */
const paymentOf = (amount: number) => z.object({ status: z.enum(['paid', 'refused']), amount: z.literal(amount) });

const Paid = z.object({ status: z.enum(['paid', 'refused', 'overdue']) });
const Bought = z.object({ orderId: z.string(), status: z.enum(['placed', 'declined', 'refused', 'overdue']) });
const Approval = z.object({ approved: z.boolean().describe('Whether to place the order') });

/** Asks the payment service for an amount, and waits until the service says by webhook how it went. */
export const takePayment = defineTool({
  name: 'take-payment',
  description: 'Has the payment service collect an amount.',
  input: z.object({ orderId: z.string(), amount: z.number().positive() }),
  output: Paid,
  task: 'required',
  async run({ orderId, amount }, context): Promise<z.output<typeof Paid>> {
    // The payment service signs its webhooks as Standard Webhooks says.
    const callback = await context.callback('payment', {
      schema: paymentOf(amount),
      signedWith: process.env['PAYMENT_SECRET'] ?? [],
      timeoutMs: DAY_MS,
    });
    await context.step('invoice', ({ idempotencyKey: key }) => write({ key, event: 'invoiced', orderId, amount, callback: callback.url }));
    const payment = await callback.wait();
    return { status: payment?.status ?? 'overdue' };
  },
});

/** Asks a person above an amount, has the order paid, and places it. */
export const buy = defineTool({
  name: 'buy',
  description: `Buys an item. More than ${APPROVAL_ABOVE} has to be approved.`,
  input: z.object({ item: z.string().min(1), price: z.number().positive() }),
  output: Bought,
  task: 'required',
  needs: ['elicitation.form'],
  async run({ item, price }, context): Promise<z.output<typeof Bought>> {
    const orderId = context.randomUUID();
    if (price > APPROVAL_ABOVE) {
      const answer = await context.elicit(Approval, `Buy ${item} for ${price}?`);
      if (answer.action !== 'accept' || !answer.content.approved) return { orderId, status: 'declined' };
    }
    context.status('Waiting for the payment.');
    const { structuredContent: payment } = await context.call(takePayment, { orderId, amount: price });
    if (payment.status !== 'paid') return { orderId, status: payment.status };
    await context.step('place', ({ idempotencyKey: key }) => write({ key, event: 'placed', orderId, item, amount: price }));
    return { orderId, status: 'placed' };
  },
});

/** Compares orders and invoices. Its schedule is in paid-orders.json. */
export const reconcile = defineTool({
  name: 'reconcile',
  description: 'Compares the orders that were placed with the invoices.',
  input: z.object({}),
  output: z.object({ placed: z.number(), amount: z.number(), withoutInvoice: z.array(z.string()) }),
  task: 'required',
  async run(_input, context) {
    const report = await context.step('compare', async () => {
      const all = await entries();
      const invoiced = new Set(all.filter(({ event }) => event === 'invoiced').map(({ orderId }) => orderId));
      const placed = all.filter(({ event }) => event === 'placed');
      return {
        placed: placed.length,
        amount: placed.reduce((sum, { amount = 0 }) => sum + amount, 0),
        withoutInvoice: placed.flatMap(({ orderId = '' }) => (invoiced.has(orderId) ? [] : [orderId])),
      };
    });
    await context.step('report', ({ idempotencyKey: key }) => write({ key, event: 'reconciled', ...report }));
    return report;
  },
});

export const features = [takePayment, buy, reconcile];
