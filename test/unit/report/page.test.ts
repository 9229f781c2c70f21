// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reportFile, reportName, scriptJson } from '../../../src/panes/reports/report-file';
import { embeddedFacts, embeddedRecording, FACTS_ID, RECORDING_ID, ReportError } from '../../../src/report/embedded';
import { readFacts } from '../../../src/report/facts';
import { Tabs } from '../../../src/report/tabs';
import { translate as trans } from '../translate';

const HOSTILE = '</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>&lt;\u2028\0';
const PAGE = `<!doctype html><title>x</title>
<script type="application/json" id="${FACTS_ID}">@FACTS@</script>
<script type="application/octet-stream" id="${RECORDING_ID}">@RECORDING@</script>`;

function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}

describe('a report file', () => {
  it('carries hostile texts as text and nothing else', () => {
    const page = parse(reportFile(PAGE, { title: HOSTILE, code: HOSTILE, missing: [HOSTILE] }, ['AAEC', 'Aw=='], trans));
    expect(page.querySelectorAll('script')).toHaveLength(2);
    expect(page.querySelector('img')).toBeNull();
    const facts = embeddedFacts(page);
    expect([facts.title, facts.code, facts.missing]).toEqual([HOSTILE, HOSTILE, [HOSTILE]]);
    expect([...embeddedRecording(page)]).toEqual([0, 1, 2, 3]);
  });

  it('does not take a mark in the facts for a place to fill', () => {
    const page = parse(reportFile(PAGE, { title: '@RECORDING@ @FACTS@ $& $1' }, ['AA=='], trans));
    expect(embeddedFacts(page).title).toBe('@RECORDING@ @FACTS@ $& $1');
    expect(embeddedRecording(page)).toHaveLength(1);
  });

  it('refuses a page of another version', () => {
    expect(() => reportFile('<p>no page</p>', {}, [], trans)).toThrow(/reload/);
    const german = { ...trans, __: () => 'Seite neu laden' };
    expect(() => reportFile('<p>no page</p>', {}, [], german)).toThrow('Seite neu laden');
  });

  it('writes JSON without a sign that markup begins or ends with', () => {
    expect(scriptJson({ a: HOSTILE })).not.toMatch(/[<>&]/);
    expect(JSON.parse(scriptJson({ a: HOSTILE }))).toEqual({ a: HOSTILE });
  });

  it('has a name that every file system takes', () => {
    const now = new Date(2026, 10, 21, 9, 4, 7);
    expect(reportName('analysis.ipynb', now)).toBe('dask-report-analysis-20261121-090407.html');
    expect(reportName('a/b\\c: *?"<>|.ipynb', now)).toBe('dask-report-a-b-c-20261121-090407.html');
    expect(reportName('', now)).toBe('dask-report-20261121-090407.html');
    expect(reportName('Größe 日本.ipynb', now)).toBe('dask-report-Größe-日本-20261121-090407.html');
    expect(reportName(`${'x'.repeat(300)}.ipynb`, now).length).toBeLessThan(100);
    expect(reportName(`x${'𠮷'.repeat(80)}.ipynb`, now)).toBe(`dask-report-x${'𠮷'.repeat(29)}-20261121-090407.html`);
    expect(reportName(`${'𠮷'.repeat(80)}.ipynb`, now)).toBe(`dask-report-${'𠮷'.repeat(30)}-20261121-090407.html`);
  });
});

describe('what a page carries', () => {
  it.each([
    ['nothing', '<p></p>'],
    ['empty parts', PAGE.replace('@FACTS@', '').replace('@RECORDING@', '')],
    ['a page that was never filled', PAGE]
  ])('says that a file with %s is damaged', (_, html) => {
    expect(() => embeddedFacts(parse(html))).toThrow(ReportError);
    expect(() => embeddedRecording(parse(html))).toThrow(ReportError);
  });

  it.each([null, 3, [], 'x', { title: 1, versions: [null, { where: {} }], plots: [1], missing: {}, duration: 'x' }])(
    'reads %j as facts that are not there',
    value => {
      const facts = readFacts(value);
      expect(facts.title).toBe('');
      expect(facts.plots).toEqual([]);
      expect(facts.missing).toEqual([]);
      expect(facts.duration).toBeNaN();
    }
  );
});

describe('tabs', () => {
  let tabs: Tabs;
  const shown = vi.fn();

  beforeEach(() => {
    shown.mockClear();
    const all = ['a', 'b', 'c'].map(id => ({ id, label: id.toUpperCase(), panel: document.createElement('div') }));
    tabs = new Tabs('Parts', all, tab => shown(tab.id));
    document.body.replaceChildren(tabs.list, ...all.map(tab => tab.panel));
    tabs.show('a');
  });

  function press(key: string, options: KeyboardEventInit = {}): void {
    const target = document.activeElement?.closest('[role="tab"]') ?? buttons()[0];
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options }));
  }

  function buttons(): HTMLButtonElement[] {
    return [...document.querySelectorAll<HTMLButtonElement>('[role="tab"]')];
  }

  it('goes with arrows, Home and End, and shows what has the focus', () => {
    buttons()[0].focus();
    const went = ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Home', 'End'].map(key => {
      press(key);
      expect(document.activeElement?.textContent).toBe(tabs.shown.toUpperCase());
      return tabs.shown;
    });
    expect(went).toEqual(['b', 'c', 'a', 'c', 'a', 'c']);
  });

  it('leaves keys with modifiers to the browser', () => {
    press('ArrowRight', { altKey: true });
    expect(tabs.shown).toBe('a');
  });

  it('says which tab belongs to which panel, and has one tab in the tab order', () => {
    tabs.show('b');
    expect(buttons().map(button => button.getAttribute('aria-selected'))).toEqual(['false', 'true', 'false']);
    expect(buttons().map(button => button.tabIndex)).toEqual([-1, 0, -1]);
    for (const button of buttons()) {
      const panel = document.getElementById(button.getAttribute('aria-controls') ?? '');
      expect(panel?.getAttribute('aria-labelledby')).toBe(button.id);
      expect(panel?.hidden).toBe(button.textContent !== 'B');
    }
  });

  it('notifies a tab once, and refuses one that does not exist', () => {
    tabs.show('b');
    tabs.show('b');
    expect(tabs.show('<x>')).toBe(false);
    expect(shown.mock.calls).toEqual([['a'], ['b']]);
  });
});
