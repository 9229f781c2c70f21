import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A report has no interface whose font size a user changes. */
const sheets = readdirSync('style').filter(name => name.endsWith('.css') && name !== 'report.css');

it.each(sheets)('has text as large as the interface: %s', name => {
  const sheet = readFileSync(`style/${name}`, 'utf8');
  expect(sheet.match(/font-size:\s*\d+px/g) ?? []).toEqual([]);
});

it.each(['dp-Sign', 'dp-Swatch'])('has symbols as large as the text beside them: %s', symbol => {
  const sheet = readFileSync('style/base.css', 'utf8');
  const rule = new RegExp(`^\\.${symbol} \\{[^}]*\\}`, 'm').exec(sheet)?.[0];
  expect(rule?.match(/(height|width): calc\(\d+ \* var\(--dp-px\)\)/g)).toHaveLength(2);
});

it('has a tooltip whose width is not what is left of the window beside its last place', () => {
  const sheet = readFileSync('style/views.css', 'utf8');
  expect(/^\.dp-Tooltip \{[^}]*\}/m.exec(sheet)?.[0]).toContain('width: max-content');
});

it('has details of a row that a table of many rows does not press to nothing', () => {
  const sheet = readFileSync('style/views.css', 'utf8');
  expect(/^\.dp-Table-scroll \{[^}]*\}/m.exec(sheet)?.[0]).toContain('flex: 1 1000 auto');
});

it('has some lines of the details of a row in a low pane: search and rows give way', () => {
  const sheet = readFileSync('style/views.css', 'utf8');
  const low = /^@container dp-pane \(height < 16em\) \{[\s\S]*?^\}/m.exec(sheet)?.[0] ?? '';
  expect(low).toMatch(/\.dp-Table-scroll:has\([^{]*\{\s*min-height: calc\(48 \*/);
  expect(low).toMatch(/\.dp-Table-tools:not\(:focus-within[^{]*\{\s*margin-top: calc\(-28 \*/);
  // Not before the second click of a double click.
  expect(low).toContain('transition: margin-top 0s 0.6s');
});

it('has the button that ends a selection in the smallest pane: its words give way', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  const small = /^@container dp-pane \(height < 13\.333em\) and \(width < 35em\) \{[\s\S]*?^\}/m.exec(sheet)?.[0] ?? '';
  expect(small).toMatch(/\.dp-Status-selected > bdi \{\s*min-width: 0;/);
  expect(small).toMatch(/\.dp-Status-selected > \.dp-Link \{\s*flex: none;/);
  expect(small).not.toContain('.dp-Pane-status .dp-Link');
});

it('has headlines of narrow panes before their chips, of which little is left', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  const narrow = /^@container dp-pane \(width < 25em\) \{[\s\S]*?^\}/m.exec(sheet)?.[0] ?? '';
  expect(narrow).toMatch(/\[data-several="true"\]\) \{\s*max-width: 66px;/);
  expect(narrow).toMatch(/\.dp-Chip\[data-several="true"\] \.dp-Chip-notebook \{\s*display: none;/);
});

it('has the sign of the state once in a low pane: the chip beside it has none', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  const low = /^@container dp-pane \(height < 13\.333em\) \{[\s\S]*?^\}/m.exec(sheet)?.[0] ?? '';
  expect(low).toMatch(/\.dp-Chip \.dp-Sign \{\s*display: none;/);
});

it('has short names for five tabs that have no room for whole ones, also in a column that is not narrow', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  // The layout Status at 1280 px: 545 px, or 42 em of the tabs.
  const tabs =
    /^@container dp-tabs \(width < (\d+)\.\d+em\) \{\s*\.lm-TabBar-content:has\(> :nth-child\(5\)\) > \.dp-Tab\[data-short\]/m;
  expect(Number(tabs.exec(sheet)?.[1])).toBeGreaterThan(42);
});

it('says in a low pane how many notes there are, with a way to them', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  const low = /^@container dp-pane \(height < 13\.333em\) \{[\s\S]*?^\}/m.exec(sheet)?.[0] ?? '';
  expect(low).toMatch(/\.dp-Status-notes::after \{\s*content: attr\(data-count\);/);
  expect(low).not.toMatch(/\.dp-Status-notes(,[^{]*)? \{\s*display: none/);
});

it('leaves no room of a status line empty while a note is cut: notes grow into what whole options leave', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  const rule = (selector: string): string => sheet.split(`\n${selector} {`)[1]?.split('}')[0] ?? '';
  expect(rule('.dp-Status-rest')).toMatch(/flex: 1 1 16em;\s*flex-wrap: wrap;/);
  expect(rule('.dp-Status-notes')).toMatch(/flex: 1 1 min\(8em [^;]*;[\s\S]*max-width: max-content;/);
  expect(rule('.dp-Status-options')).toContain('display: contents;');
  expect(rule('.dp-Pane-counts > [data-cut="true"]'), 'nor of a title line while code is').toContain('white-space: normal;');
});

it('shows without a scrollbar that a list of clients goes on below, and not at its end', () => {
  const sheet = readFileSync('style/sidebar.css', 'utf8');
  const rule = /^\.dp-Clients,\n\.dp-Hosted \{[^}]*\}/m.exec(sheet)?.[0] ?? '';
  const pixels = (property: string): number => Number(new RegExp(`${property}:[^;]*?(\\d+)px`).exec(rule)?.[1]);
  // Letters begin 6 px above the end of the last row.
  expect(pixels('mask-image') - pixels('\\bpadding-bottom')).toBeLessThanOrEqual(6);
  expect(pixels('scroll-padding-bottom')).toBe(pixels('mask-image'));
});

it.each([
  ['advice.css', '.dp-Advice[data-low="true"] .dp-Advice-head > *'],
  ['advice.css', '.dp-Advice-line > bdi'],
  ['selection.css', '.dp-Selection[data-folded="true"] > .dp-Selection-head > :is(strong, span)'],
  ['selection.css', '.dp-Selection[data-folded="true"] > .dp-Selection-note']
])('ends what a single line of a low pane has no room for with "…": %s, %s', (name, selector) => {
  const sheet = readFileSync(`style/${name}`, 'utf8');
  const rule = sheet.split(`\n${selector} {`)[1]?.split('}')[0] ?? '';
  expect(rule).toMatch(/overflow: hidden;\s*text-overflow: ellipsis;/);
});

it('leaves each part of the line above causes room for its "…" in a low pane, and shares room for a figure', () => {
  const sheet = readFileSync('style/advice.css', 'utf8');
  const rule = (part: string): string =>
    sheet.split(`\n.dp-Advice[data-low="true"] .dp-Advice-head > ${part} {`)[1]?.split('}')[0] ?? '';
  expect(rule('*')).toMatch(/flex: 0 1000 auto;[\s\S]*min-width: 1\.5em;/);
  expect(rule('.dp-Advice-shares')).toContain('min-width: 3.5em;');
});

it('has the note on a picked task above what dims the others', () => {
  const sheet = readFileSync('style/views.css', 'utf8');
  expect(/^\.dp-Timeline-arrowWords \{[^}]*\}/m.exec(sheet)?.[0]).toContain('z-index: 1');
});

it('leaves values of a tooltip room beside the longest name', () => {
  const sheet = readFileSync('style/views.css', 'utf8');
  expect(/^\.dp-Tooltip-rows \{[^}]*\}/m.exec(sheet)?.[0]).toContain('grid-template-columns: fit-content(60%) 1fr');
});

it('has entries of the legend that a finger can hit', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  const coarse = /^@media \(pointer: coarse\) \{[\s\S]*?^\}/m.exec(sheet)?.[0] ?? '';
  expect(coarse).toMatch(/\.dp-Legend-item \{\s*min-height: calc\(24 \* var\(--dp-px\)\);/);
});

it('draws each pane in a layer of its own, without the parts of the others', () => {
  const sheet = readFileSync('style/pane.css', 'utf8');
  expect(/^\.dp-Pane \{[^}]*\}/m.exec(sheet)?.[0]).toContain('will-change: opacity');
});

it.each([
  ['timeline-controls.css', '.dp-Timeline-now'],
  ['timeline-controls.css', '.dp-Timeline-now[data-silent]'],
  ['timeline-controls.css', '.dp-Timeline-tool[aria-pressed="true"]'],
  ['timeline-controls.css', '.dp-Timeline-computation[aria-current="true"]'],
  ['sidebar.css', '.dp-Layout[aria-pressed="true"]'],
  ['pane.css', '.dp-Chip[data-pinned="true"] .dp-Chip-text::before'],
  ['pane.css', '.dp-Message-bar::before']
])('says with colours of the system what it otherwise says with a background or a shadow: %s, %s', (name, selector) => {
  const sheet = readFileSync(`style/${name}`, 'utf8');
  const forced = [...sheet.matchAll(/^@media \(forced-colors: active\) \{[\s\S]*?^\}/gm)].join('\n');
  const rules = [...forced.matchAll(/([^{}]*)\{([^{}]*)\}/g)].filter(([, selectors]) =>
    selectors.split(',').some(each => each.trim() === selector)
  );
  expect(rules.map(([, , body]) => body).join()).toMatch(/(Highlight|GrayText|ButtonText);/);
});
