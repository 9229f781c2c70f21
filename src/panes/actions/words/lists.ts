/** What the dialogs of actions name: results, clients, and what else holds results. Names are untrusted. */
import { formatCount } from '../../../base/format';
import type { Translate } from '../../../plot/plot';
import { cutMiddle, oneLine } from '../../../plot/text';
import type { Names } from '../dialog';
import type { OtherClients, Plan } from '../replies';

/** Longest name, key or id of a client in a dialog, in characters. */
const LONGEST = 100;

/** A name from a cluster, short and on one line. */
export function shortName(name: string): string {
  return cutMiddle(oneLine(name, 4 * LONGEST), LONGEST);
}

/** The results that an action applies to. */
export function keyList(plan: Plan, trans: Translate): Names {
  return { title: trans.__('Results of this client'), names: listed(plan.keys, plan.results, trans) };
}

/** Who else wants the results, and which these are. */
export function otherLists(plan: Plan, trans: Translate): readonly Names[] {
  const clients = clientLists(plan.others, trans.__('Other clients that want results of these tasks'), trans);
  if (plan.others.count === 0 || plan.otherKeys.length === 0) {
    return clients;
  }
  return [...clients, { title: trans.__('Their results'), names: plan.otherKeys.map(shortName) }];
}

/** Other clients, then what Dask keeps like clients. */
export function clientLists({ count, clients, named }: OtherClients, title: string, trans: Translate): readonly Names[] {
  const lines = (ofClients: boolean): readonly string[] =>
    named
      .filter(([, , isClient]) => isClient === ofClients)
      .map(([name, results]) => trans._n('%3: 1 result', '%3: %2 results', results, formatCount(results), shortName(name)));
  return [
    { title, names: rest(lines(true), clients, trans) },
    {
      title: trans.__('Variables, queues, tasks on workers and the like that keep results'),
      names: rest(lines(false), count - clients, trans)
    }
  ].filter(({ names }) => names.length > 0);
}

function listed(keys: readonly string[], count: number, trans: Translate): readonly string[] {
  return rest(keys.map(shortName), count, trans);
}

function rest(names: readonly string[], count: number, trans: Translate): readonly string[] {
  const more = count - names.length;
  return more > 0 ? [...names, trans.__('and %1 more', formatCount(more))] : names;
}
