/** The marks of a cluster map. */
import { formatBytes, formatCount, formatCpu, formatExactCount } from '../../../base/format';
import { inkOn } from '../../../base/theme';
import type { Bytes, CssPixels } from '../../../base/units';
import { workerTooltip } from '../../../charts/bars/worker-bars';
import type { Json, PlotContext, Translate, VegaDrawing, VegaFrame } from '../../../plot/plot';
import { oneLine, textWidth } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { workerLabel, type WorkerRow } from '../../../selectors/workers/worker-rows';
import { CLIENT, type Flow, flowsOf, mostFlows } from './flows';
import { type Box, type Layout, layMap, type PlacedWorker } from './layout';
import { drawnHosts, fillOf, type Moved, movedBy, movedWithout, signs, stateOf } from './workers';

/** More lines from the scheduler to hosts would be a fan without information. */
const MOST_LINKS = 60;
/** Space beside the text of a node. */
const NODE_PADDING: CssPixels = 8;
/** Space for lines at the right of a worker with a name. */
const MARGIN: CssPixels = 8;
/** Least width and height of a worker with a sign. */
const SIGN: CssPixels = 12;
/** Where on its line the head of an arrow is: beyond the middle, so that those of both directions are apart. */
const HEAD_AT = 0.6;
/** Thickest line, and how far the two directions between two workers lie apart. */
const LINE: { readonly most: CssPixels; readonly apart: CssPixels } = { most: 6, apart: 3 };

type Row = Readonly<Record<string, Json>>;
type Rows = readonly Row[];

/** "client", or the name of a worker. */
function nameOf(run: Run, id: number, { trans }: PlotContext): string {
  return id === CLIENT ? trans.__('client') : workerLabel(run.workerNames[id]);
}

function middle({ x, y, width, height }: Box): readonly [x: CssPixels, y: CssPixels] {
  return [x + width / 2, y + height / 2];
}

/** Where lines begin and end: beside the name of a worker that has one. */
function anchor({ x, y, width, height }: Box): readonly [x: CssPixels, y: CssPixels] {
  return [width > 40 ? x + width - MARGIN : x + width / 2, y + height / 2];
}

/** Lines and their heads; those of the largest amount are the thickest. */
function lines(run: Run, context: PlotContext, layout: Layout): { readonly flows: Row[]; readonly heads: Row[] } {
  const boxes = new Map<number, Box>(layout.workers.map(worker => [worker.row.id, worker]));
  boxes.set(CLIENT, layout.clients);
  const { list } = flowsOf(run, context);
  const shown = context.hidden.has('transfer') ? [] : list.slice(0, mostFlows(run));
  const most = shown.reduce((greatest, { bytes }) => Math.max(greatest, bytes), 1);
  const drawn = shown.flatMap(flow => {
    const [from, to] = [boxes.get(flow.sender), boxes.get(flow.receiver)];
    return from === undefined || to === undefined || from === to ? [] : [line(flow, from, to, most, run, context)];
  });
  return { flows: drawn.map(({ flow }) => flow), heads: drawn.map(({ head }) => head) };
}

function line(flow: Flow, from: Box, to: Box, most: Bytes, run: Run, context: PlotContext): { flow: Row; head: Row } {
  const { trans } = context;
  const [x, y] = anchor(from);
  const [x2, y2] = anchor(to);
  const length = Math.max(1, Math.hypot(x2 - x, y2 - y));
  // To the right of its direction, so that both directions can be seen.
  const [ox, oy] = [(-(y2 - y) / length) * LINE.apart, ((x2 - x) / length) * LINE.apart];
  const width = 1.5 + (LINE.most - 1.5) * Math.sqrt(flow.bytes / most);
  const tooltip = {
    title: `${nameOf(run, flow.sender, context)} → ${nameOf(run, flow.receiver, context)}`,
    state: formatBytes(flow.bytes),
    rows: [
      [trans.__('Transfers'), formatExactCount(flow.count)],
      [trans.__('Results'), formatExactCount(flow.keys)]
    ] as const,
    hint: trans.__('Click: pin'),
    ...(flow.receiver === CLIENT ? {} : { links: [transferLink(run, flow.receiver, context)] })
  };
  const angle = (Math.atan2(y2 - y, x2 - x) * 180) / Math.PI + 90;
  return {
    flow: { x: x + ox, y: y + oy, x2: x2 + ox, y2: y2 + oy, width, tooltip },
    head: { x: x + (x2 - x) * HEAD_AT + ox, y: y + (y2 - y) * HEAD_AT + oy, angle, size: 30 + 14 * width, tooltip }
  };
}

function transferLink(run: Run, worker: number, { trans }: PlotContext) {
  const args = { worker: run.workerNames[worker]?.address ?? '' };
  return { label: trans.__('Transfer log of %1', workerLabel(run.workerNames[worker])), plot: 'transfers', args };
}

function cell({ row, x, y, width, height }: PlacedWorker, { theme }: PlotContext): Row {
  const stroke = row.level === 'red' ? theme.bad : row.level === 'orange' ? theme.warn : width > 12 ? theme.border : null;
  return { x, y, x2: x + width, y2: y + height, fill: fillOf(stateOf(row), theme), stroke };
}

/** Signs and names of workers where there is room: for a sign alone in a small box. */
function labels({ workers }: Layout, context: PlotContext) {
  const signOf = signs(context);
  return workers.flatMap(({ row, named, ...box }) => {
    const sign = signOf(row);
    const text = named ? `${sign} ${row.label}`.trim() : sign.slice(0, box.width < 2 * SIGN ? 1 : 2);
    const limit = named ? (box.width > 40 ? box.width - 2 * MARGIN : box.width - 4) : box.width;
    const [x, y] = middle(box);
    const place = named ? { x: box.x + 3, y, align: 'left' } : { x, y, align: 'center' };
    return text === '' || (!named && Math.min(box.width, box.height) < SIGN) ? [] : [{ worker: row, text, limit, ...place }];
  });
}

function tooltipOf(row: WorkerRow, { received, sent }: Moved, context: PlotContext) {
  const { trans } = context;
  return workerTooltip(row, context, [
    [trans.__('Running'), formatCount(row.executing)],
    [trans.__('CPU'), formatCpu(row.cpu)],
    [trans.__('Memory'), formatBytes(row.process)],
    [trans.__('Received'), formatBytes(received)],
    [trans.__('Sent'), formatBytes(sent)]
  ]);
}

/** Clients of the scheduler: how many, and the names that are shown. */
function clientsOf(run: Run): { readonly count: number; readonly names: readonly string[] } {
  const { clients } = run.facts.meta;
  return { count: clients?.count ?? Number.NaN, names: clients?.names ?? [] };
}

function clientWords(run: Run, { trans }: PlotContext): string {
  const { count } = clientsOf(run);
  return Number.isFinite(count) ? trans._n('1 client', '%2 clients', count, formatCount(count)) : trans.__('clients');
}

/** Its address is whole or left out: half an address is useless. */
function schedulerWords(address: string, room: CssPixels, trans: Translate): string {
  const plain = trans.__('scheduler');
  const full = `${plain} ${address.replace(/^[a-z+]+:\/\//i, '')}`;
  return address === '' || textWidth(full) > room ? plain : full;
}

function nodes(run: Run, context: PlotContext, { clients, scheduler }: Layout): { texts: Row[]; hits: Row[] } {
  const { theme, trans } = context;
  const address = oneLine(run.facts.meta.address ?? '');
  const { names } = clientsOf(run);
  const both = [
    {
      box: clients,
      text: clientWords(run, context),
      tooltip: { title: clientWords(run, context), rows: names.map((name, i) => [String(i + 1), oneLine(name)] as const) }
    },
    {
      box: scheduler,
      text: schedulerWords(address, scheduler.width - NODE_PADDING, trans),
      tooltip: { title: trans.__('scheduler'), rows: [[trans.__('Address'), address] as const] }
    }
  ];
  const rect = ({ x, y, width, height }: Box): Row => ({ x, y, x2: x + width, y2: y + height });
  return {
    texts: both.map(({ box, text, tooltip }) => ({
      ...{ tooltip, text, x: box.x + box.width / 2, y: box.y + box.height / 2, align: 'center' },
      ...{ fill: inkOn(theme.track), limit: box.width - NODE_PADDING }
    })),
    hits: both.map(({ box, tooltip }) => ({ ...rect(box), fill: theme.track, stroke: theme.border, tooltip }))
  };
}

/** Lines of the connections: client to scheduler, scheduler to each host. */
function links({ clients, scheduler, hosts: placed }: Layout): Rows {
  const [x, y] = [scheduler.x + scheduler.width / 2, scheduler.y + scheduler.height];
  return [
    { x: clients.x + clients.width, y: middle(clients)[1], x2: scheduler.x, y2: middle(scheduler)[1] },
    ...(placed.length > MOST_LINKS ? [] : placed.map(host => ({ x, y, x2: host.x + host.width / 2, y2: host.y })))
  ];
}

/** Everything of the map. */
export function draw(run: Run, context: PlotContext, { width, height }: VegaFrame): VegaDrawing {
  const { theme } = context;
  const layout = layMap(drawnHosts(run, context), width, height);
  const moved = movedBy(run, context);
  const { texts, hits } = nodes(run, context, layout);
  return {
    params: {},
    data: {
      links: links(layout),
      texts: [
        ...texts,
        ...layout.hosts
          .filter(({ named }) => named)
          .map(({ host, x, y, width: limit }) => ({
            ...{ text: host.label, x, y: y + 7, align: 'left', fill: theme.textSecondary, limit }
          })),
        ...labels(layout, context).map(({ worker, ...label }) => ({
          ...label,
          // It lies on its worker, and is hit in its place.
          get tooltip() {
            return tooltipOf(worker, moved.get(worker.id) ?? movedWithout(run), context);
          },
          fill: inkOn(fillOf(stateOf(worker), theme))
        }))
      ],
      hits: [
        ...hits,
        ...layout.workers.map(worker => ({
          ...cell(worker, context),
          // Hundreds of them, of which the pointer is over one.
          get tooltip() {
            return tooltipOf(worker.row, moved.get(worker.row.id) ?? movedWithout(run), context);
          }
        }))
      ],
      ...lines(run, context, layout)
    }
  };
}
