// `npm run i18n`: collects the translatable texts, writes the template and brings the translations up to date. With --check it
// only compares.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collect } from './i18n/messages.mjs';
import { readCatalogue } from './lib/catalogue.mjs';
import { ROOT, tool } from './lib/environment.mjs';
import { main } from './lib/process.mjs';

await main(async () => {
  const { messages, violations } = collect(ROOT, await readCatalogue());
  for (const { file, line, text } of violations) {
    console.error(`${file}:${line}: ${text}`);
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // JupyterLab's server looks for translations in the folder `locale` of a package.
  const args = [
    join(ROOT, 'scripts', 'i18n', 'catalogues.py'),
    join(ROOT, 'bridge', 'dask_panes', 'locale'),
    ...process.argv.slice(2)
  ];
  const { status } = spawnSync(tool('python'), args, {
    input: JSON.stringify({ messages, version }),
    stdio: ['pipe', 'inherit', 'inherit']
  });
  return status === 0 && violations.length === 0 ? 0 : 1;
});
