// `npm run format`: the style that the lint stage expects, applied.
import { ROOT, environment, tool } from './lib/environment.mjs';
import { main, must } from './lib/process.mjs';

await main(async () => {
  const options = { cwd: ROOT, env: environment() };
  await must(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'], options);
  await must(tool('ruff'), ['check', '--fix', '--no-cache', '.'], options);
  await must(tool('ruff'), ['format', '--no-cache', '.'], options);
});
