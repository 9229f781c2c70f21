import type { DevicePixels } from '../../../base/units';
import { FOLD_WIDTHS, Folding, UNFOLDED } from '../../../run/folded-time';
import { pausesOfExecutions } from '../../../run/idle-time';
import type { BusyPeriods } from '../../../run/lanes/busy-periods';
import type { Run } from '../../../run/run';

/** The folded pauses of the shown run; the same object while nothing about them changes. */
export class Pauses {
  /**
   * @param on - whether pauses are folded at all
   * @param width - of the picture
   * @param scale - device pixels per CSS pixel at the default font size
   */
  of(run: Run, on: boolean, width: DevicePixels, scale: number): Folding {
    const { busy } = run.tasks;
    const state = `${run.identity} ${busy.version} ${run.version('series')} ${run.running.earliest} ${on} ${width} ${scale}`;
    // Each moment of a recording has periods of its own, of the same version.
    if (busy !== this.busy || state !== this.state) {
      this.busy = busy;
      this.state = state;
      const pauses = on ? pausesOfExecutions(run) : [];
      const print = `${width} ${scale} ${JSON.stringify(pauses)}`;
      if (print !== this.print) {
        this.print = print;
        const widths = FOLD_WIDTHS.map(css => Math.round(css * scale));
        this.folding = pauses.length === 0 ? UNFOLDED : new Folding(pauses, width, widths);
      }
    }
    return this.folding;
  }

  private busy: BusyPeriods | null = null;
  private state = '';
  private print = '';
  private folding: Folding = UNFOLDED;
}
