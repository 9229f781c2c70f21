/** What the server reports of its kernels, by the name of their session. */
import type { Lab } from '../e2e/harness/lab';

/** A kernel that runs. */
export interface Running {
  readonly name: string;
  readonly connections: number;
  readonly execution_state: string;
}

interface SessionModel {
  readonly name: string;
  readonly kernel: Omit<Running, 'name'>;
}

/** The kernels that run now; nobody has to be connected to be listed. */
export async function running(lab: Lab): Promise<readonly Running[]> {
  const sessions = (await (await fetch(`${lab.url}/api/sessions?no_track_activity=1`)).json()) as readonly SessionModel[];
  return sessions.map(({ name, kernel }) => ({ ...kernel, name }));
}

/** Names of the sessions that run now, in order. */
export async function names(lab: Lab): Promise<string[]> {
  return (await running(lab)).map(({ name }) => name).sort();
}

/** A cluster that is made quickly: its worker is a thread of the kernel. */
export const CLIENT = `
from dask.distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=":0")
client.gather(client.map(abs, range(10), pure=False)); client.id`;
