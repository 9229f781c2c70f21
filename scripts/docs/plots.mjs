// docs/plots.md: every plot of the catalogue, and how to read it.
import { escaped, generated, sentence, table } from './markdown.mjs';

/** @typedef {import('../../src/plot/plot').Plot} Plot */
/** @typedef {Readonly<Record<string, { gathered?: boolean, doc: string }>>} Topics */

/**
 * @param {import('../lib/catalogue.mjs').Catalogue} catalogue
 * @param {Topics} topics - of the schema of the feed
 * @param {ReadonlySet<string>} pictures - names of the files in docs/pictures
 */
export function plotsPage({ plots, groups, layouts }, topics, pictures) {
  const lines = [
    generated('src/plots'),
    '# Plots',
    '',
    `Dask Panes has ${plots.length} plots. They are in the Dask sidebar, in the command palette and, in a notebook, behind`,
    '`dask_panes.show("id")`. A click on the name of a plot in the sidebar opens it; a plot that is open is shown.',
    '',
    '"Needs" names the [topics](feed.md#topics) that a plot subscribes to. A topic is sent only while a visible pane wants it. A recording or a',
    'report shows a plot when it contains its topics.',
    '',
    'A click on a function, a worker, a host, a task in a table or in the task graph, an error, a computation or a box of a graph or of the profile selects its tasks in',
    'all panes of the run: what is something else is dimmed, nothing is removed ([Reading the task stream](task-stream.md#what-is-shown-and-what-is-not)). On the keyboard, Enter does it in a',
    'picture and Space in a table. With Ctrl (⌘ on a Mac) several functions, workers or tasks of a table are selected. A second click ends it, except on a task of the',
    'task graph, where another task is selected instead; so does Escape, in the profile one box at a time.',
    '',
    'All charts over time of a run and its task stream have one visible time: the wheel, W, S, A and D zoom and pan all of them, a double click shows the selected',
    'period or goes back. See [Task stream](task-stream.md#what-is-shown-and-what-is-not).',
    ''
  ];
  for (const [group, title] of Object.entries(groups)) {
    const found = plots.filter(plot => plot.group === group);
    if (found.length > 0) {
      lines.push(`## ${title}`, '', ...found.flatMap(plot => section(plot, topics, pictures)));
    }
  }
  return [...lines, ...layoutSection(layouts, plots)].join('\n');
}

/**
 * @param {Plot} plot
 * @param {Topics} topics
 * @param {ReadonlySet<string>} pictures
 */
function section(plot, topics, pictures) {
  const facts = [
    ['Id', `\`${plot.id}\``],
    ['Also found as', plot.synonyms.map(escaped).join(', ')],
    ['Needs', needs(plot, topics)],
    ...(plot.options ?? []).map(option => [option.label, choices(option)])
  ];
  return [
    `### ${escaped(plot.title)}`,
    '',
    escaped(sentence(plot.caption)),
    '',
    ...picturesOf(plot, pictures),
    escaped(plot.howToRead),
    '',
    ...facts.map(([name, text]) => `- ${name}: ${text}`),
    ''
  ];
}

/**
 * What `npm run test:pictures -- --write` has left of a plot.
 *
 * @param {Plot} plot
 * @param {ReadonlySet<string>} pictures
 */
function picturesOf({ id, title, caption }, pictures) {
  const [light, dark] = [`${id}.png`, `${id}-dark.png`];
  return [
    ...(pictures.has(light) ? [`![${escaped(title)}: ${escaped(caption)}](pictures/${light})`, ''] : []),
    ...(pictures.has(dark) ? [`![${escaped(title)} in the dark theme](pictures/${dark})`, ''] : [])
  ];
}

/**
 * @param {Plot} plot
 * @param {Topics} topics
 */
function needs(plot, topics) {
  const of = plot.about === 'local' ? 'a computation on a local scheduler' : 'a client of `dask.distributed`';
  const wanted = plot.topics.map(topic => `\`${topic}\``).join(', ');
  const gathered = plot.topics.filter(topic => topics[topic]?.gathered).map(topic => `\`${topic}\``);
  return [
    `${of}; topics ${wanted}.`,
    ...(plot.choiceTopics ?? []).map(choice => choiceNeeds(plot, choice)),
    ...(gathered.length > 0 ? [`The workers are asked for ${gathered.join(' and ')}.`] : []),
    ...(plot.needs === 'gpu' ? ['The sidebar lists it where a worker reports a GPU, and in a search.'] : []),
    ...(plot.needsScheduler ? ['It asks the scheduler, so recordings and reports leave it out.'] : [])
  ].join(' ');
}

/**
 * @param {Plot} plot
 * @param {NonNullable<Plot['choiceTopics']>[number]} choice
 */
function choiceNeeds({ options }, { option: id, value, topics }) {
  const option = options?.find(each => each.id === id);
  const label = option?.choices.find(each => each.value === value)?.label ?? value;
  return `With "${escaped(option?.label ?? id)}: ${escaped(label)}" also ${topics.map(topic => `\`${topic}\``).join(', ')}.`;
}

/** @param {import('../../src/plot/plot').PlotOption} option */
function choices({ choices, initial, found }) {
  const texts = choices.map(({ value, label }) => escaped(label) + (value === initial ? ' (initially)' : ''));
  return [...texts, ...(found === undefined ? [] : ['or one that the run has'])].join(', ');
}

/**
 * @param {import('../lib/catalogue.mjs').Catalogue['layouts']} layouts
 * @param {readonly Plot[]} plots
 */
function layoutSection(layouts, plots) {
  /** @param {string} id */
  const title = id => escaped(plots.find(plot => plot.id === id)?.title ?? id);
  return [
    '## Layouts',
    '',
    'A layout places several panes beside the notebook, or below it where that is narrow. `dask_panes.show("id")` places it, as does its name in the sidebar.',
    'It replaces the panes that a layout has opened before, whichever client or recording they show; panes that you opened one by one or pinned stay.',
    '**Save layout…** in the sidebar keeps the present',
    'arrangement, with the options of each pane, under a name of your own: `dask_panes.show("My panes")` places it, and its context menu removes it. Saved',
    "layouts are in the setting `layouts`; a site ships its own in JupyterLab's `overrides.json`, and `defaultLayout` may name one.",
    '',
    ...table(
      ['layout', 'id', 'what it is for', 'plots'],
      layouts.map(each => [escaped(each.title), `\`${each.id}\``, escaped(each.caption), each.plots.map(title).join(', ')])
    ),
    ''
  ];
}
