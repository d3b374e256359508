/** A durable workflow, an order that may need approval: LONGHAUL_FEATURES=./examples/place-order.ts npm start */
import { appendFile } from 'node:fs/promises';
import { defineTool, type DurableContext } from '@longhaul/mcp-features';
import { z } from 'zod';

const JOURNAL = process.env['ORDERS_FILE'] ?? 'orders.jsonl';
const APPROVAL_ABOVE = 500;

const Order = z.object({
  item: z.string().min(1).max(100),
  quantity: z.number().int().min(1).max(1_000),
  unitPrice: z.number().positive(),
  cancellableSeconds: z.number().min(0).max(86_400).default(60).describe('How long the order can still be cancelled'),
});

const Approval = z.object({
  approved: z.boolean().describe('Whether to place the order'),
  note: z.string().max(200).optional().describe('A note for the supplier'),
});

const Receipt = z.object({
  orderId: z.string(),
  status: z.enum(['placed', 'declined']),
  total: z.number(),
  confirmation: z.string(),
});

/** Stands for a system of the company, which knows a repeated event by its key. */
async function record(event: string, key: string, details: object = {}): Promise<string> {
  await appendFile(JOURNAL, `${JSON.stringify({ event, key, ...details })}\n`);
  return key;
}

async function confirmationOf({ item, quantity }: z.output<typeof Order>, context: DurableContext): Promise<string> {
  const plain = `You have ordered ${quantity} × ${item}.`;
  if (!context.sampleEnabled) return plain;
  const { content } = await context.sample(`Write one friendly sentence that says: ${plain}`, { maxTokens: 100 });
  return !Array.isArray(content) && content.type === 'text' ? content.text : plain;
}

const placeOrder = defineTool({
  name: 'place-order',
  description: `Orders an item. More than ${APPROVAL_ABOVE} has to be approved by the user.`,
  input: Order,
  output: Receipt,
  task: 'optional',
  needs: ['elicitation.form'],
  async run(order, context): Promise<z.output<typeof Receipt>> {
    const total = order.quantity * order.unitPrice;
    const orderId = await context.step('reserve', ({ idempotencyKey }) => record('reserved', idempotencyKey, order));
    context.progress(25);

    let note: string | undefined;
    if (total > APPROVAL_ABOVE) {
      context.status('Waiting for approval.');
      const answer = await context.elicit(Approval, `Order ${order.quantity} × ${order.item} for ${total}?`);
      if (answer.action !== 'accept' || !answer.content.approved) {
        await context.step('release', ({ idempotencyKey }) => record('released', idempotencyKey, { orderId }));
        return { orderId, status: 'declined', total, confirmation: 'Nothing was ordered.' };
      }
      note = answer.content.note;
    }
    context.progress(50);

    context.status('The order can still be cancelled.');
    await context.sleep('cancellable', order.cancellableSeconds * 1_000);
    await context.step('charge', ({ idempotencyKey }) => record('charged', idempotencyKey, { orderId, total, note }), { attempts: 5 });
    context.progress(75);

    const confirmation = await confirmationOf(order, context);
    context.progress(100);
    return { orderId, status: 'placed', total, confirmation };
  },
});

/** Gateways and workers load what is exported under this name. */
export const features = [placeOrder];
