// `npm run test:pictures [-- --write]`: the demo and the examples of a healthy and an unhealthy task stream, as a person runs
// them, until every sight of the documentation's pictures is there. `--write` writes the pictures into docs/. Minutes of real
// work, so not a part of `npm test`.
import { provideChromium } from './lib/chromium.mjs';
import { ROOT, environment } from './lib/environment.mjs';
import { main, run } from './lib/process.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  const env = environment({ CHROMIUM: await provideChromium() });
  if (process.argv.includes('--write')) {
    env.UPDATE_SCREENSHOTS = '1';
  }
  return run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--project=pictures', '--reporter=list'], {
    cwd: ROOT,
    env
  });
});
