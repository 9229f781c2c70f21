// `npm run test:pictures [-- --write] [FILE...]`: the demo and the examples of a healthy and an unhealthy task stream, as a person runs
// them, until every sight of the documentation's pictures is there. `--write` writes the pictures into docs/. Minutes of real
// work, so not a part of `npm test`.
import { playwright } from './lib/chromium.mjs';
import { main } from './lib/process.mjs';
import { setup } from './setup.mjs';

await main(async () => {
  await setup();
  /** @type {Record<string, string>} */
  const env = process.argv.includes('--write') ? { UPDATE_SCREENSHOTS: '1' } : {};
  return playwright(
    'pictures',
    process.argv.slice(2).filter(argument => argument !== '--write'),
    env
  );
});
