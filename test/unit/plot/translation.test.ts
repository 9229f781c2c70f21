// @vitest-environment jsdom
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ITranslatorConnector, TranslationManager } from '@jupyterlab/translation';
import { describe, expect, it } from 'vitest';
import { DOMAIN, translation } from '../../../src/panes/plugin';
import { catalogueText, english, type Translate } from '../../../src/plot/translation';
import { taskStream } from '../../../src/plots/tasks/task-stream';

const FOLDER = join(__dirname, '..', '..', '..', 'bridge', 'dask_panes', 'locale');

/** JupyterLab's own translation, with the files that this package ships. */
async function bundle(locale: string): Promise<Translate> {
  const path = join(FOLDER, locale, 'LC_MESSAGES', `${DOMAIN}.json`);
  const data = existsSync(path) ? { [DOMAIN]: JSON.parse(readFileSync(path, 'utf8')) } : {};
  const connector = { fetch: async () => ({ data, message: '' }) } as unknown as ITranslatorConnector;
  const manager = new TranslationManager('', '', undefined, connector);
  await manager.fetch(locale);
  return translation(manager);
}

describe.each(['en', 'fr_FR'])('without a translation, JupyterLab in %s', locale => {
  it('says the same as a report', async () => {
    const lab = await bundle(locale);
    for (const trans of [english, lab]) {
      expect(trans.__('%2 of %1 %3', 'a', '%1', 100)).toBe('%1 of a 100');
      expect(trans.__('100 % for each thread')).toBe('100 % for each thread');
      expect(trans._n('1 worker', '%2 workers', 1, '1')).toBe('1 worker');
      expect(trans._n('1 worker', '%2 workers', 0, '0')).toBe('0 workers');
      expect(trans._n('1 worker', '%2 workers', 12345, '12.3k')).toBe('12.3k workers');
      expect(catalogueText(trans, '')).toBe('');
      expect(catalogueText(trans, 'constructor')).toBe('constructor');
    }
  });
});

describe('the German translation', () => {
  it('is what JupyterLab shows, in both plural forms', async () => {
    const trans = await bundle('de_DE');
    expect(trans.__('Search plots')).toBe('Diagramme suchen');
    expect(trans._n('1 task', '%2 tasks', 1, '1')).toBe('1 Aufgabe');
    expect(trans._n('1 task', '%2 tasks', 40, '40')).toBe('40 Aufgaben');
  });

  it('has the texts of the catalogue, and leaves those of another extension as they are', async () => {
    const trans = await bundle('de_DE');
    expect(catalogueText(trans, taskStream.title)).toBe('Aufgabenverlauf');
    expect(catalogueText(trans, taskStream.howToRead)).toMatch(/^Jede Zeile ist ein Thread eines Workers/);
    expect(catalogueText(trans, 'Tâches par hôte')).toBe('Tâches par hôte');
  });
});

it('every folder of a locale has a translation', () => {
  const locales = readdirSync(FOLDER, { withFileTypes: true }).filter(entry => entry.isDirectory());
  for (const { name } of locales) {
    expect(readdirSync(join(FOLDER, name, 'LC_MESSAGES')).sort()).toEqual([`${DOMAIN}.json`, `${DOMAIN}.po`]);
  }
});
