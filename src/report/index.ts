/**
 * The page of a report: the entry point of a separate bundle without JupyterLab. The page's loader
 * (`scripts/report-page.mjs`) runs it after the data have been parsed.
 */
import { catalogueText } from '../plot/translation';
import { element } from '../base/element';
import { writePage } from '../base/page-style';
import { formatWallClock } from '../base/format';
import type { Seconds } from '../base/units';
import { PLOTS } from '../plots';
import { ClockBar } from '../plot-frame/clock-bar';
import { english } from '../plot/translation';
import { frozen } from '../run/frozen';
import { Card } from './card';
import { embeddedFacts, embeddedRecording, ReportError } from './embedded';
import type { ReportFacts } from './facts';
import { openRun } from './open';
import { SchemeSwitch } from './scheme';
import { contentsOf, type Section } from './sections';
import { summary } from './summary';
import { Tabs } from './tabs';

/** A report is always in English: it can be read anywhere, and there is no translation service. */
const trans = english;

const SUMMARY = 'summary';

function dayOf(time: Seconds): string {
  const day = new Date(time * 1000).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
  return `${day}, ${formatWallClock(time)}`;
}

function header(facts: ReportFacts, switcher: SchemeSwitch): HTMLElement {
  const parts = [Number.isNaN(facts.created) ? '' : trans.__('recording of %1', dayOf(facts.created)), facts.generator];
  return element(
    'header',
    { class: 'dp-Report-head' },
    element(
      'div',
      {},
      element('h1', { text: facts.title || trans.__('Dask report') }),
      element('p', { text: parts.filter(Boolean).join(' · ') })
    ),
    switcher.node
  );
}

/** Show the report in the page. */
async function start(page: Document): Promise<void> {
  const facts = embeddedFacts(page);
  const { feed, run, totals } = await openRun(embeddedRecording(page));
  const { sections, absent } = contentsOf(PLOTS, run, facts.plots);
  const cards = new Map<string, readonly Card[]>();
  const open = (plot: string, args: Readonly<Record<string, string | number>>): void => {
    const section = sections.find(each => each.plots.some(({ id }) => id === plot));
    if (section !== undefined) {
      tabs.show(section.id);
      cards
        .get(section.id)
        ?.find(card => card.plot.id === plot)
        ?.choose(args);
      page.getElementById(`dp-plot-${plot}`)?.scrollIntoView({ block: 'nearest' });
    }
  };
  const panel = (section: Section): HTMLElement => {
    const made = section.plots.map(plot => new Card(plot, { run, feed, trans, saved: {}, open }));
    const narrow = made.filter(card => card.plot.view === 'vega');
    if (narrow.length % 2 === 1) {
      // Cards are in two columns: an odd last one would leave a gap.
      narrow.at(-1)?.node.classList.add('dp-mod-wide');
    }
    cards.set(section.id, made);
    return element('div', { class: 'dp-Report-panel' }, ...made.map(card => card.node));
  };
  const front = element('div', { class: 'dp-Report-panel' });
  // The clock moves; the content of the summary does not change.
  const end = frozen(run);
  const advised = sections.some(({ plots }) => plots.some(({ id }) => id === 'advice'));
  const advise = advised ? (): void => open('advice', {}) : null;
  const drawFront = (): void => front.replaceChildren(summary({ facts, run: end, totals, absent, trans, advise }));
  const all = [
    { id: SUMMARY, label: trans.__('Summary'), panel: front },
    ...sections.map(section => ({ id: section.id, label: catalogueText(trans, section.title), panel: panel(section) }))
  ];
  const tabs = new Tabs(trans.__('Parts of the report'), all, shown => {
    for (const [id, made] of cards) {
      for (const card of made) {
        card.setVisible(id === shown.id);
      }
    }
    clock.node.hidden = shown.id === SUMMARY;
    history.replaceState(null, '', `#${shown.id}`);
  });
  const switcher = new SchemeSwitch(trans, page.documentElement, () => {
    writePage();
    drawFront();
    for (const card of [...cards.values()].flat()) {
      card.retheme();
    }
  });
  const clock = new ClockBar(feed, trans, (button, playing) => button.append(playing ? '❚❚' : '►'));
  writePage();
  drawFront();
  page.title = facts.title || trans.__('Dask report');
  page.body.replaceChildren(
    element(
      'div',
      { class: 'dp-Report' },
      header(facts, switcher),
      tabs.list,
      clock.node,
      element('main', {}, ...all.map(tab => tab.panel))
    )
  );
  const asked = location.hash.slice(1);
  if (!tabs.show(asked)) {
    tabs.show(facts.plots.length > 0 && sections.length > 0 ? sections[0].id : SUMMARY);
  }
}

start(document).then(
  // After the first frame: benchmarks and tests wait for it.
  () =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        performance.mark('dp-shown');
        document.documentElement.dataset.report = 'shown';
      })
    ),
  (error: unknown) => {
    const text = error instanceof ReportError ? error.message : `This report cannot be shown: ${String(error)}`;
    document.body.replaceChildren(element('p', { class: 'dp-Report-problem', text, role: 'alert' }));
    document.documentElement.dataset.report = 'failed';
    console.error(error);
  }
);
