// `npm run test:networks [-- --install] [--again] [--require-all] [ROW …]`: real parts between the browser, Jupyter and the scheduler.
// Resumable: a row that passed on this version of the sources is not run again without `--again`. Says what did not run and what
// it needs; `--install` gets that with apt where this user may. With `--require-all` a row that did not run is a failure. Writes
// dated rows into docs/matrix.md.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install, mayInstall, refresh } from './lib/apt.mjs';
import { NPM, ROOT, environment, tool } from './lib/environment.mjs';
import { playwright } from './lib/chromium.mjs';
import { Advice, capture, main, must, run } from './lib/process.mjs';
import { RESULTS } from './lib/stages.mjs';
import { digest } from './lib/stamp.mjs';
import { holds, SHIPPED, today, writeTable } from './lib/tried.mjs';
import { provideVenv, provideVenvWithCheckout } from './lib/venvs.mjs';
import { setup } from './setup.mjs';

const FOLDER = join(RESULTS, 'networks');
const STATE = join(FOLDER, 'state.json');
/** What a result depends on, besides the parts of the network. */
const SOURCES = [...SHIPPED, 'scripts/networks.mjs', 'test/networks', 'test/e2e/harness'];
/** A typical user's packages in a kernel besides Jupyter. */
const KERNEL = ['distributed', 'ipykernel', 'ipywidgets', 'cryptography'];

/**
 * @typedef {object} Row
 * @property {string} title - as docs/matrix.md has it
 * @property {readonly Program[]} programs - that the machine has to have
 * @property {() => string} [lacks] - what else this machine lacks for it, else an empty text
 * @property {(env: Record<string, string>) => Promise<number>} test - gives the exit status
 * @property {() => string} parts - names and versions
 */

/**
 * @typedef {object} Program
 * @property {string} name
 * @property {string} package - of Debian and Ubuntu
 */

const NGINX = { name: 'nginx', package: 'nginx-light' };
const SSHD = { name: 'sshd', package: 'openssh-server' };
const SSH = { name: 'ssh', package: 'openssh-client' };
const OPENSSL = { name: 'openssl', package: 'openssl' };
const MUNGED = { name: 'munged', package: 'munge' };
const SLURMCTLD = { name: 'slurmctld', package: 'slurmctld' };
const SLURMD = { name: 'slurmd', package: 'slurmd slurm-client' };
const UNSHARE = { name: 'unshare', package: 'util-linux' };

/** @type {Readonly<Record<string, Row>>} */
const ROWS = {
  nginx: {
    title: 'nginx with a path prefix and TLS in front of Jupyter',
    programs: [NGINX, OPENSSL],
    test: env => browser('nginx', { ...env, DASK_PANES_TEST_NGINX: find(NGINX.name) ?? '' }),
    parts: () => `nginx ${version('nginx', ['-v'])}`
  },
  hub: {
    title: 'JupyterHub with the simple spawner on loopback',
    programs: [],
    test: async env => browser('hub', { ...env, ...(await provideHub()) }),
    parts: () => `JupyterHub ${version(join(FOLDER, 'hub-venv', 'bin', 'jupyterhub'), ['--version'])}`
  },
  tunnel: {
    title: '`ssh -L` to Jupyter only',
    programs: [SSHD, SSH],
    test: env => browser('tunnel', { ...env, DASK_PANES_TEST_SSHD: find(SSHD.name) ?? '' }),
    parts: () => `OpenSSH ${version('ssh', ['-V'])}`
  },
  scheduler: {
    title: 'a scheduler that only the kernel can reach',
    programs: [UNSHARE],
    lacks: () =>
      capture('unshare', ['--user', '--map-root-user', '--net', 'true']) === null
        ? 'this system gives no network namespaces to this user'
        : '',
    test: env => browser('scheduler', env),
    parts: () => 'a network namespace, kernel over Unix sockets'
  },
  slow: {
    title: '1 Mbit/s and 200 ms between browser and Jupyter',
    programs: [],
    test: env => browser('slow', env),
    parts: () => 'a relay of our own'
  },
  sshcluster: {
    title: 'SSHCluster, its workers without us',
    programs: [SSHD, SSH],
    test: async env => pytest('test/networks/test_ssh_cluster.py', { ...env, ...(await provideSshCluster()) }),
    parts: () => `OpenSSH ${version('ssh', ['-V'])}, ${capture(join(FOLDER, 'ssh-venv', 'bin', 'python'), ['-c', PARTS])}`
  },
  slurm: {
    title: 'SLURMCluster of dask-jobqueue on one node, from the sidebar',
    programs: [MUNGED, SLURMCTLD, SLURMD],
    lacks: () => (process.getuid?.() === 0 ? '' : 'its daemons run as root'),
    test: async env => pytest('test/networks/test_slurm.py', { ...env, ...(await provideSlurm()) }),
    parts: () => `Slurm ${version('slurmctld', ['-V'])}, ${capture(join(FOLDER, 'slurm-venv', 'bin', 'python'), ['-c', JOBS])}`
  }
};

const JOBS = `
import dask_jobqueue, distributed
print(f"dask-jobqueue {dask_jobqueue.__version__.split('+')[0]}, Dask {distributed.__version__}")`;

const PARTS = 'import asyncssh, distributed; print(f"asyncssh {asyncssh.__version__}, Dask {distributed.__version__}")';

/**
 * @param {string} name
 * @returns {string | undefined} the path of a program; daemons are often not on the path of a user
 */
function find(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/sbin'].filter(Boolean);
  return folders.map(folder => join(folder, name)).find(existsSync);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function version(program, args) {
  // Some say it on the standard error.
  const output = capture('sh', ['-c', '"$0" "$@" 2>&1', find(program) ?? program, ...args]) ?? '';
  return /\d+(\.\d+)+(p\d+)?/.exec(output)?.[0] ?? '';
}

async function provideHub() {
  const bin = await provideVenvWithCheckout(join(FOLDER, 'hub-venv'), ['jupyterhub>=5', 'jupyterlab>=4', ...KERNEL]);
  const proxy = join(FOLDER, 'hub-proxy');
  const program = join(proxy, 'node_modules', '.bin', 'configurable-http-proxy');
  if (!existsSync(program)) {
    mkdirSync(proxy, { recursive: true });
    await must(NPM, ['install', '--prefix', proxy, '--no-audit', '--no-fund', '--silent', 'configurable-http-proxy@5']);
  }
  return { DASK_PANES_TEST_HUB: bin, DASK_PANES_TEST_HUB_PROXY: program };
}

/** Two environments: the user's, with our wheel, and the machines', without it. */
async function provideSshCluster() {
  const client = join(FOLDER, 'ssh-venv');
  const machines = await provideVenv(join(FOLDER, 'ssh-machines-venv'), ['distributed']);
  const bin = await provideVenv(client, ['asyncssh', ...KERNEL]);
  const wheels = join(FOLDER, 'wheel', digest(['bridge', 'pyproject.toml']).slice(0, 12));
  const env = environment({ SKIP_JUPYTER_BUILDER: '1' });
  await must(tool('python'), ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '-w', wheels, ROOT], { env });
  const [wheel = ''] = readdirSync(wheels);
  const reinstall = ['--quiet', '--no-deps', '--reinstall-package', 'dask-panes'];
  await must(tool('uv'), ['pip', 'install', ...reinstall, '--python', join(bin, 'python'), join(wheels, wheel)]);
  return {
    DASK_PANES_TEST_SSHD: find(SSHD.name) ?? '',
    DASK_PANES_TEST_SSH_CLIENT: join(bin, 'python'),
    DASK_PANES_TEST_SSH_MACHINES: join(machines, 'python')
  };
}

async function provideSlurm() {
  const bin = await provideVenvWithCheckout(join(FOLDER, 'slurm-venv'), ['dask-jobqueue', ...KERNEL]);
  return { DASK_PANES_TEST_SLURM_CLIENT: join(bin, 'python'), DASK_PANES_TEST_SLURM_SBIN: dirname(find(SLURMD.name) ?? '') };
}

/**
 * @param {string} file
 * @param {Record<string, string>} env
 */
function browser(file, env) {
  return playwright('networks', [`networks/${file}`], env);
}

/**
 * @param {string} file
 * @param {Record<string, string>} env
 */
function pytest(file, env) {
  return run(tool('python'), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', file], { cwd: ROOT, env: environment(env) });
}

/**
 * What this machine lacks for a row, after what may be installed was.
 *
 * @param {Row} row
 * @param {boolean} allowed - whether the user allows installing
 * @returns {Promise<string>} a message for users, or nothing
 */
async function missing({ programs, lacks }, allowed) {
  const absent = () => programs.filter(({ name }) => find(name) === undefined);
  if (allowed && absent().length > 0 && mayInstall()) {
    await refresh();
    await install(absent().flatMap(program => program.package.split(' ')));
  }
  if (absent().length > 0) {
    const names = absent().map(({ name }) => name);
    const packages = absent().map(program => program.package);
    return `needs ${names.join(', ')} (Debian, Ubuntu: apt install ${packages.join(' ')}, which --install does)`;
  }
  return lacks?.() ?? '';
}

/**
 * @param {string} name
 * @param {boolean} allowed
 * @returns {Promise<{ outcome: string, detail: string }>}
 */
async function test(name, allowed) {
  const row = ROWS[name];
  const lack = await missing(row, allowed);
  if (lack !== '') {
    return { outcome: 'not run', detail: lack };
  }
  console.error(`\n── ${row.title}`);
  try {
    const outcome = (await row.test({})) === 0 ? 'passed' : 'FAILED';
    return { outcome, detail: row.parts() };
  } catch (error) {
    return { outcome: 'not run', detail: error instanceof Error ? error.message : String(error) };
  }
}

await main(async () => {
  const options = process.argv.slice(2);
  const asked = options.filter(option => !option.startsWith('--'));
  const unknown = [
    ...asked.filter(name => !(name in ROWS)),
    ...options.filter(option => option.startsWith('--') && !['--install', '--again', '--require-all'].includes(option))
  ];
  if (unknown.length > 0) {
    throw new Advice(`no row or option ${unknown.join(', ')}: there are ${Object.keys(ROWS).join(', ')}`);
  }
  await setup();
  mkdirSync(FOLDER, { recursive: true });
  const sources = digest(SOURCES);
  const state = existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : {};
  const names = Object.keys(ROWS).filter(name => asked.length === 0 || asked.includes(name));
  for (const name of names) {
    if (holds(state[name], sources) && !options.includes('--again')) {
      continue;
    }
    state[name] = { ...(await test(name, options.includes('--install'))), sources, date: today() };
    writeFileSync(STATE, JSON.stringify(state, null, 1));
  }
  const rows = Object.entries(ROWS).map(([name, { title }]) => {
    const { outcome, detail, date } = state[name] ?? {};
    return { key: title, cells: outcome === undefined || outcome === 'not run' ? null : [detail, outcome, date] };
  });
  writeTable('networks', rows);
  for (const name of names) {
    const { outcome, detail } = state[name];
    console.log(`${outcome.padEnd(8)} ${name}: ${detail}`);
  }
  const wanted = options.includes('--require-all') ? ['passed'] : ['passed', 'not run'];
  return names.every(name => wanted.includes(state[name].outcome)) ? 0 : 1;
});
