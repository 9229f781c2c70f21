/**
 * The page of a report: the entry point of a separate bundle without JupyterLab. The page's loader
 * (`scripts/report-page.mjs`) runs it after the data have been parsed.
 */
import type { Plot } from '../plot/plot';
import { catalogueText, english } from '../plot/translation';
import { element } from '../base/element';
import { writePage } from '../base/page-style';
import { formatWallClock } from '../base/format';
import type { Seconds } from '../base/units';
import { PLOTS } from '../plots';
import { ClockBar } from '../plot-frame/clock-bar';
import { frozen } from '../run/frozen';
import type { Run } from '../run/run';
import { Card } from './card';
import { embeddedFacts, embeddedRecording, ReportError } from './embedded';
import type { ReportFacts } from './facts';
import { openRun, type Recorded, unreadOf } from './open';
import { errorsLink } from '../selectors/errors/link';
import { SchemeSwitch } from './scheme';
import { contentsOf, type Section } from './sections';
import { summary } from './summary';
import { type Tab, Tabs } from './tabs';

/** A report is always in English: it can be read anywhere, and there is no translation service. */
const trans = english;

const SUMMARY = 'summary';

/** Arguments with which a plot is opened. */
type OpenArgs = Readonly<Record<string, string | number>>;

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

/** The tabs of a report: the summary, then the plots by group, all at the time of one clock. */
class ReportPage {
  constructor(
    private readonly facts: ReportFacts,
    private readonly recorded: Recorded
  ) {
    const { run, feed } = recorded;
    const { sections, absent } = contentsOf(PLOTS, run, facts.plots);
    this.sections = sections;
    this.absent = absent;
    // The clock moves; the content of the summary does not change.
    this.end = frozen(run);
    this.clock = new ClockBar(feed, trans, (button, playing) => button.append(playing ? '❚❚' : '►'));
    this.all = [
      { id: SUMMARY, label: trans.__('Summary'), panel: this.front },
      ...sections.map(section => ({
        id: section.id,
        label: catalogueText(trans, section.title),
        panel: this.panel(section)
      }))
    ];
    this.tabs = new Tabs(trans.__('Parts of the report'), this.all, shown => this.onShow(shown));
  }

  /** Replace the content of the page, and show the tab in its address, or the first one of those that were asked for. */
  show(page: Document): void {
    const { facts, tabs, clock, sections } = this;
    const switcher = new SchemeSwitch(trans, page.documentElement, () => this.retheme());
    this.draw();
    page.title = facts.title || trans.__('Dask report');
    page.body.replaceChildren(
      element(
        'div',
        { class: 'dp-Report' },
        header(facts, switcher),
        tabs.list,
        clock.node,
        element('main', {}, ...this.all.map(tab => tab.panel))
      )
    );
    if (!tabs.show(location.hash.slice(1))) {
      tabs.show(facts.plots.length > 0 && sections.length > 0 ? sections[0].id : SUMMARY);
    }
  }

  private retheme(): void {
    this.draw();
    for (const card of [...this.cards.values()].flat()) {
      card.retheme();
    }
  }

  /** Draw the summary in the colours of the page. */
  private draw(): void {
    const { facts, end: run, absent, sections } = this;
    const { totals } = this.recorded;
    writePage();
    const has = (plot: string): boolean => sections.some(({ plots }) => plots.some(({ id }) => id === plot));
    const advise = has('advice') ? (): void => this.open('advice', {}) : null;
    const showErrors = has('errors') ? (name?: string): void => this.open('errors', errorsLink(name).args) : null;
    const unread = unreadOf(this.recorded);
    this.front.replaceChildren(
      summary({ facts, why: this.recorded.recording.why, run, totals, unread, absent, trans, advise, showErrors })
    );
  }

  private panel(section: Section): HTMLElement {
    const { run, feed } = this.recorded;
    const open = (plot: string, args: OpenArgs): void => this.open(plot, args);
    const cards = section.plots.map(plot => new Card(plot, { run, feed, trans, saved: {}, open }));
    const narrow = cards.filter(card => card.plot.view === 'vega');
    if (narrow.length % 2 === 1) {
      // Cards are in two columns: an odd last one would leave a gap.
      narrow.at(-1)?.node.classList.add('dp-mod-wide');
    }
    this.cards.set(section.id, cards);
    return element('div', { class: 'dp-Report-panel' }, ...cards.map(card => card.node));
  }

  private open(plot: string, args: OpenArgs): void {
    const section = this.sections.find(each => each.plots.some(({ id }) => id === plot));
    const card = this.cards.get(section?.id ?? '')?.find(each => each.plot.id === plot);
    if (section !== undefined && card !== undefined) {
      this.tabs.show(section.id);
      card.choose(args);
      card.node.scrollIntoView({ block: 'nearest' });
    }
  }

  private onShow({ id }: Tab): void {
    for (const [section, cards] of this.cards) {
      for (const card of cards) {
        card.setVisible(section === id);
      }
    }
    this.clock.node.hidden = id === SUMMARY || this.recorded.ofOneMoment;
    history.replaceState(null, '', `#${id}`);
  }

  private readonly front = element('div', { class: 'dp-Report-panel' });
  /** By section. */
  private readonly cards = new Map<string, readonly Card[]>();
  private readonly sections: readonly Section[];
  private readonly absent: readonly Plot[];
  private readonly end: Run;
  private readonly clock: ClockBar;
  private readonly all: readonly Tab[];
  private readonly tabs: Tabs;
}

/** Show the report in the page. */
async function start(page: Document): Promise<void> {
  const facts = embeddedFacts(page);
  new ReportPage(facts, await openRun(embeddedRecording(page))).show(page);
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
