/** The code of "Connect to address…" against schedulers that take nobody without their certificates. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tool } from '../../../../scripts/lib/environment.mjs';
import { addressCode, addressErrors, type AddressValues } from '../../../../src/sidebar/hosting/scheduler-address';
import { translate as trans } from '../../translate';

/**
 * Runs pieces of code, each on a TLS scheduler of this process; prints for each the address of its client and a result, or the
 * class of the error.
 */
const RUN = `
import json, logging, os, sys
from distributed import LocalCluster
from distributed.security import Security
folder, port, codes = json.load(sys.stdin)
logging.disable()
def write(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)
for name in ("own", "strange"):
    role = Security.temporary().get_tls_config_for_role("client")
    for part in ("cert", "key"):
        write(f"{name}-{part}.pem", role[part])
    write(f"{name}-both.pem", role["cert"] + role["key"])
cert, key = (os.path.join(folder, f"own-{part}.pem") for part in ("cert", "key"))
own = {f"tls_{role}_{part}": path for role in ("scheduler", "worker", "client") for part, path in (("cert", cert), ("key", key))}
security = Security(require_encryption=True, tls_ca_file=cert, **own)
options = dict(protocol="tls://", processes=False, n_workers=1, dashboard_address="127.0.0.1:0", worker_dashboard_address=None)
import dask
dask.config.set({"distributed.comm.timeouts.connect": "3s"})
found = []
with LocalCluster(security=security, host="127.0.0.1", scheduler_port=port, **options) as cluster:
    write("scheduler.json", json.dumps(cluster.scheduler.identity()))
    for code in codes:
        try:
            exec(code)
            found.append([client.scheduler.address, client.submit(max, 1, 2).result()])
            client.close()
        except Exception as error:
            found.append(type(error).__name__)
print(json.dumps(found))
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise(resolve => server.close(resolve));
  return port;
}

it('connects with the files of certificates, by address and by scheduler file, and not with those of others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dask panes tls-'));
  const port = await freePort();
  const address = `tls://127.0.0.1:${port}`;
  const pem = (name: string): string => join(folder, `${name}.pem`);
  const typed: readonly AddressValues[] = [
    { scheduler: address, ca: pem('own-cert'), certificate: pem('own-cert'), key: pem('own-key') },
    { scheduler: join(folder, 'scheduler.json'), ca: pem('own-cert'), certificate: pem('own-both'), key: '' },
    { scheduler: address, ca: pem('strange-cert'), certificate: pem('strange-cert'), key: pem('strange-key') },
    { scheduler: address, ca: '', certificate: '', key: '' }
  ];
  expect(typed.map(values => addressErrors(values, trans))).toEqual(typed.map(() => ({})));
  try {
    const input = JSON.stringify([folder, port, typed.map(addressCode)]);
    const found: unknown = JSON.parse(execFileSync(tool('python'), ['-c', RUN], { input, encoding: 'utf8' }));
    expect(found).toEqual([[address, 2], [address, 2], expect.any(String), expect.any(String)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
