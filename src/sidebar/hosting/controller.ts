import { messageOf, textOf } from '../../base/untrusted';
import type { Milliseconds } from '../../base/units';
import {
  type ClusterOptions,
  type ClusterPlace,
  type HostedCluster,
  type HostedClusters,
  StartCancelled,
  StartFailure
} from '../../clients/hosting/model';
import type { ClusterKinds } from '../../feed/kernel/kernel-channel';
import { MOST_WORKERS } from '../../panes/forms/count';
import { askForScale, confirmLoss, type Scale } from '../../panes/forms/scale-dialog';
import { RULES } from './rules';
import type { Translate } from '../../plot/plot';
import { askForAddress } from './address-dialog';
import { checkForm, freeName, isName, type InitialValues, initialValuesOf } from './form';
import { NO_KINDS } from './kinds';
import { askForCluster, type HostSpec, type NewCluster } from './new-cluster-dialog';
import { confirmShutDown, explainFailure } from './questions';
import { addressCode, addressErrors, addressOf } from './scheduler-address';
import type { HostingActions } from './section';
import { cardWords, connectCode, startTroubleWords } from './words';

/** How long a question waits for what the kernel knows: it answers in milliseconds, if it does. */
const LOOK_PATIENCE: Milliseconds = 2000;

/** What the controller needs of JupyterLab. */
export interface HostingEnvironment {
  /** Kernel specs that can host a cluster, best choice first. */
  specs(): readonly HostSpec[];
  /** What Dask's configuration offers, as the kernels of this window know it; never fails. */
  kinds(): Promise<ClusterKinds>;
  /**
   * The same for a new kernel, which ends at once.
   *
   * @param spec - name of the kernel spec
   * @throws Error with a message for users
   */
  lookUp(spec: string): Promise<ClusterKinds>;
  /** Where a new kernel starts: the folder of the active notebook, else ''. */
  folder(): string;
  /** Insert a code cell below the active one of the active notebook; `false` if there is no notebook. */
  insert(source: string): boolean;
  /** Bring the cards into view. */
  reveal(): void;
  showPanes(path: string, client: string): void;
  warn(message: string): void;
}

/** Arguments of a command, which other extensions and links may give; untrusted. */
type Arguments = Readonly<Record<string, unknown>>;

/** Implements all actions of cards and commands: ask, start, connect, scale, end. */
export class HostingController implements HostingActions {
  constructor(
    private readonly hosted: HostedClusters,
    private readonly env: HostingEnvironment,
    private readonly trans: Translate
  ) {}

  /**
   * The cluster that the arguments of a command mean: by its id, or by its name if no other one has it.
   *
   * @throws Error with a message for users
   */
  find({ id, name }: Arguments): HostedCluster {
    const [cluster, another] = this.hosted.list.filter(each => (id === undefined ? each.name === name : each.id === id));
    if (cluster === undefined) {
      throw new Error(this.trans.__('There is no hosted cluster named "%1".', textOf(name)));
    }
    if (another !== undefined) {
      throw new Error(this.trans.__('Several hosted clusters are named "%1".', textOf(name)));
    }
    return cluster;
  }

  /**
   * Start a cluster; if the start fails, the form is shown again with its input.
   *
   * @param args - initial values of the form, as arguments of the command
   * @param ask - whether to show the form before the first attempt
   * @returns the cluster, `null` if cancelled
   */
  async create(args: Arguments = {}, ask = true): Promise<HostedCluster | null> {
    const specs = this.env.specs();
    if (specs.length === 0) {
      this.env.warn(this.trans.__('No Python kernel is installed that could host a cluster.'));
      return null;
    }
    let asked = this.initial(initialValuesOf(args), specs);
    let kinds = ask ? this.env.kinds() : Promise.resolve(NO_KINDS);
    const lookUp = (spec: string): Promise<ClusterKinds> => {
      const found = this.env.lookUp(spec);
      // For the form, which opens again after a refusal. It shows the error of this look-up itself.
      kinds = found.catch(() => NO_KINDS);
      return found;
    };
    let chosen = ask ? null : checkForm(asked.values, this.taken, this.trans).options;
    let refusal = '';
    for (;;) {
      if (chosen === null) {
        const { trans } = this;
        const answer = await askForCluster({ initial: asked, specs, kinds, lookUp, refusal, taken: () => this.taken, trans });
        if (answer === null) {
          return null;
        }
        ({ asked, options: chosen } = answer);
      }
      const outcome = await this.start(chosen, { spec: asked.spec, folder: this.env.folder() });
      if (typeof outcome !== 'string') {
        return outcome;
      }
      [chosen, refusal] = [null, outcome];
    }
  }

  show({ path, facts }: HostedCluster): void {
    if (facts && facts.client !== '') {
      this.env.showPanes(path, facts.client);
    }
  }

  connect({ name }: HostedCluster): void {
    if (!isName(name)) {
      this.env.warn(this.trans.__('A notebook cannot connect to a cluster with this name.'));
    } else if (!this.env.insert(connectCode(name))) {
      this.env.warn(this.trans.__('Open a notebook first: the code that connects is inserted there.'));
    }
  }

  /**
   * Insert the code that connects the active notebook to a scheduler that runs somewhere.
   *
   * @param args - initial values of the form
   * @param ask - whether to show the form, which is shown anyway if the values cannot be used
   * @returns whether it was inserted
   */
  async connectTo(args: Arguments = {}, ask = true): Promise<boolean> {
    const initial = addressOf(args);
    const usable = Object.keys(addressErrors(initial, this.trans)).length === 0;
    const values = ask || !usable ? await askForAddress(initial, this.trans) : initial;
    const inserted = values !== null && this.env.insert(addressCode(values));
    if (values !== null && !inserted) {
      this.env.warn(this.trans.__('Open a notebook first: the code that connects is inserted there.'));
    }
    return inserted;
  }

  async scale(cluster: HostedCluster, args: Arguments = {}): Promise<void> {
    await this.refresh(cluster);
    const [{ name, facts }, { trans }] = [cluster, this];
    if (facts === null) {
      this.env.warn(`${name}: ${cardWords(cluster, trans).text}.`);
      return;
    }
    const most = facts.kind === 'LocalCluster' ? RULES.mostWorkers : MOST_WORKERS;
    const given = scaleOf(args);
    const scale = given ?? (await askForScale(name, facts, most, trans));
    // Links in outputs and in Markdown can give a number, too.
    const agreed = given === null || (await confirmLoss(name, facts, given, trans));
    if (scale && agreed) {
      await this.attempt(() => ('workers' in scale ? cluster.scale(scale.workers) : cluster.adapt(scale.minimum, scale.maximum)));
    }
  }

  async shutDown(cluster: HostedCluster): Promise<void> {
    await this.refresh(cluster);
    const { state } = cluster;
    // Without running work nothing is lost.
    const harmless = state === 'starting' || state === 'empty' || state === 'failed' || state === 'closed';
    if (harmless || (await confirmShutDown(cluster, this.trans))) {
      await this.attempt(() => cluster.shutDown());
    }
  }

  async explain({ name, facts }: HostedCluster): Promise<void> {
    const message = this.trans.__('The cluster could not be started.');
    await explainFailure(name, { message, traceback: facts?.error ?? '' }, false, this.trans);
  }

  private get taken(): readonly string[] {
    return this.hosted.list.map(({ name }) => name);
  }

  private initial({ spec, ...values }: InitialValues, specs: readonly HostSpec[]): NewCluster {
    return {
      spec: specs.some(({ name }) => name === spec) ? String(spec) : specs[0].name,
      values: { name: freeName(this.taken), preset: '', workers: '', threads: '', memory: '', dashboard: '', ...values }
    };
  }

  /** One attempt: the cluster, `null` if cancelled, or the error to show in the form. */
  private async start(options: ClusterOptions, place: ClusterPlace): Promise<HostedCluster | string | null> {
    this.env.reveal();
    try {
      return await this.hosted.start(options, place);
    } catch (error) {
      if (error instanceof StartCancelled) {
        return null;
      }
      if (!(error instanceof StartFailure)) {
        throw error;
      }
      const { traceback } = error;
      const message = startTroubleWords(error, this.trans);
      return traceback === ''
        ? message
        : (await explainFailure(options.name, { message, traceback }, true, this.trans))
          ? ''
          : null;
    }
  }

  /** What is known of a cluster may be half a minute old, or from before the sidebar was hidden. */
  private async refresh(cluster: HostedCluster): Promise<void> {
    if (cluster.state !== 'silent' && cluster.state !== 'disconnected') {
      await Promise.race([cluster.look(), new Promise(resolve => setTimeout(resolve, LOOK_PATIENCE))]);
    }
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.env.warn(messageOf(error));
    }
  }
}

/** The number of workers, or bounds, that the arguments name. */
function scaleOf({ workers, minimum, maximum }: Arguments): Scale | null {
  return typeof workers === 'number'
    ? { workers }
    : typeof minimum === 'number' && typeof maximum === 'number'
      ? { minimum, maximum }
      : null;
}
