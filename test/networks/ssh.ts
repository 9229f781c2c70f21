/** A daemon of ssh on the loopback interface with keys and a configuration of its own: nothing in `~/.ssh` is read or changed. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort, stop, supervised } from '../e2e/harness/jupyter-process';
import { type Afterwards, given, until } from './smoke';

/** How a client reaches the daemon. */
export interface Daemon {
  readonly port: number;
  /** Arguments of `ssh` without those that say what to do, the name of the machine last. */
  readonly args: readonly string[];
}

/**
 * Start the daemon, which only lets one port be forwarded.
 *
 * @param folder - for keys, configuration and log
 * @param only - port of this machine that may be reached through it
 */
export async function startSshd(folder: string, only: number, afterwards: Afterwards): Promise<Daemon> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [host, own] = [join(folder, 'host-key'), join(folder, 'key')];
  for (const file of [host, own]) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  }
  copyFileSync(`${own}.pub`, join(folder, 'authorized-keys'));
  const port = await freePort();
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey "${host}"`,
    `AuthorizedKeysFile "${join(folder, 'authorized-keys')}"`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'AllowTcpForwarding local',
    `PermitOpen 127.0.0.1:${only}`,
    'ForceCommand /bin/false'
  ];
  const configuration = join(folder, 'sshd-config');
  writeFileSync(configuration, `${lines.join('\n')}\n`);
  if (process.getuid?.() === 0) {
    // The daemon of the machine makes it when it starts, and none may run here.
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  }
  const log = join(folder, 'sshd.log');
  const daemon = supervised(given('DASK_PANES_TEST_SSHD'), ['-D', '-e', '-f', configuration], {
    cwd: folder,
    env: process.env,
    log
  });
  afterwards(() => stop(daemon));
  const options = ['StrictHostKeyChecking=no', `UserKnownHostsFile=${join(folder, 'known-hosts')}`, 'IdentitiesOnly=yes'];
  const args = ['-F', 'none', '-i', own, '-p', String(port), ...options.flatMap(option => ['-o', option])];
  return { port, args: [...args, `${userInfo().username}@127.0.0.1`] };
}

/** A tunnel to a port of the daemon's machine. */
export class Tunnel {
  private constructor(
    private readonly folder: string,
    private readonly args: readonly string[],
    readonly url: string
  ) {}

  /** `ssh -L`, which is tried until the daemon answers. */
  static async open(folder: string, daemon: Daemon, target: number, afterwards: Afterwards): Promise<Tunnel> {
    const port = await freePort();
    const forward = ['-N', '-o', 'ExitOnForwardFailure=yes', '-L', `127.0.0.1:${port}:127.0.0.1:${target}`];
    const tunnel = new Tunnel(folder, [...forward, ...daemon.args], `http://127.0.0.1:${port}`);
    afterwards(() => tunnel.close());
    await tunnel.connect();
    return tunnel;
  }

  /** Start `ssh`; returns when Jupyter answers through it. */
  async connect(): Promise<void> {
    await until('Jupyter answers through the tunnel', async () => {
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        this.process = this.launch();
      }
      const answer = await fetch(`${this.url}/api`).catch(() => null);
      return Boolean(answer?.ok);
    });
  }

  /** End `ssh`, as a laptop that is shut does. */
  close(): Promise<void> {
    return stop(this.process);
  }

  private launch(): ReturnType<typeof supervised> {
    return supervised('ssh', this.args, { cwd: this.folder, env: process.env, log: join(this.folder, 'ssh.log') });
  }

  private process = this.launch();
}
