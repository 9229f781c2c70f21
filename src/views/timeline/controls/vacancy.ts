import { Announcer } from '../../../base/dom/announcer';
import { element, setHidden, setText } from '../../../base/element';
import { formatDuration, formatElapsed } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import type { Period } from '../../../run/selection/selection';
import { isIdle, nearestWork } from '../../../run/lanes/nearest-work';
import type { Picture } from '../picture';

/** Says where the nearest tasks are, or those that are selected, while the visible period has none of them, and goes there. */
export class Vacancy {
  /** @param show - shows a period */
  constructor(
    private readonly picture: Picture,
    private readonly selected: { readonly span: Period | null },
    private readonly trans: Translate,
    show: (nearest: Period) => void
  ) {
    const go = (): void => {
      if (this.nearest !== null) {
        show(this.nearest);
      }
    };
    this.node.append(
      this.text,
      this.announcer.node,
      element('button', { class: 'dp-Button dp-Timeline-tool', text: trans.__('Show them'), onClick: go })
    );
    // The picture below it takes presses for drags.
    for (const type of ['pointerdown', 'dblclick']) {
      this.node.addEventListener(type, event => event.stopPropagation());
    }
    setHidden(this.node, true);
  }

  readonly node = element('div', { class: 'dp-Timeline-vacancy' });

  /** Look again; called some times a second. */
  update(): void {
    const { shown, camera, present } = this.picture;
    const { run } = shown;
    const { start, end } = camera.viewport;
    const from = Math.max(start, present.clearedUntil);
    const empty = run.tasks.count > 0 && run.running.earliest > end && isIdle(run.tasks, from, end);
    const { span } = this.selected;
    const unseen = span !== null && (span.to < from || span.from > end) ? span : null;
    this.nearest = unseen ?? (empty ? nearestWork(run.tasks, from, end, present.clearedUntil) : null);
    setHidden(this.node, this.nearest === null);
    const text =
      this.nearest === null ? '' : unseen === null ? this.words(this.nearest, from, end) : this.unseen(unseen, from, end);
    setText(this.text, text);
    // Its figures grow while a picture follows an idle cluster.
    this.announcer.say({ state: text.replaceAll(/\d/g, ''), text });
  }

  /** A part of a picture that is dimmed as a whole does not say why. */
  private unseen({ from, to }: Period, start: Seconds, end: Seconds): string {
    const { trans } = this;
    return to < start
      ? trans.__('No selected tasks in this period. The last one ended %1 earlier.', formatDuration(start - to))
      : trans.__('No selected tasks in this period. The first one begins %1 later.', formatDuration(from - end));
  }

  private words(nearest: Period, start: Seconds, end: Seconds): string {
    const { trans } = this;
    const { run } = this.picture.shown;
    const now = run.clock.latest;
    if (start > now) {
      const last = formatDuration(start - nearest.to);
      return trans.__(
        'This period is later than %1. The last tasks ended %2 before it.',
        formatElapsed(now - run.origin, 1),
        last
      );
    }
    return nearest.from >= end
      ? trans.__('No tasks in this period. The next ones begin %1 later.', formatDuration(nearest.from - end))
      : trans.__('No tasks in this period. The last ones before it ended %1 earlier.', formatDuration(start - nearest.to));
  }

  private readonly text = element('span');
  private readonly announcer = new Announcer();
  private nearest: Period | null = null;
}
