// `npm run test:culling [-- connected]`: a real culler with panes and hosted clusters. Takes minutes, so not part of `npm
// test`.
import { playwright } from './lib/chromium.mjs';
import { main } from './lib/process.mjs';
import { setup } from './setup.mjs';

/** Seconds without activity after which the server culls a kernel, and interval of a hosting kernel's activity messages. */
const IDLE = 20;
const SIGN = 4;

const CULLER = [`--MappingKernelManager.cull_idle_timeout=${IDLE}`, '--MappingKernelManager.cull_interval=2'];

/** By file of `test/culling`: how the server treats kernels with a connected browser. */
const SERVERS = {
  unconnected: CULLER,
  connected: [...CULLER, '--MappingKernelManager.cull_connected=True']
};

await main(async () => {
  await setup();
  const asked = process.argv.slice(2);
  let worst = 0;
  for (const [name, options] of Object.entries(SERVERS)) {
    if (asked.length > 0 && !asked.includes(name)) {
      console.log(`not run: ${name}`);
      continue;
    }
    const env = {
      DASK_PANES_TEST_OPTIONS: JSON.stringify(options),
      DASK_DASK_PANES__HOSTING__ACTIVITY_INTERVAL: `${SIGN}s`
    };
    worst = Math.max(worst, await playwright('culling', [`culling/${name}`], env));
  }
  return worst;
});
