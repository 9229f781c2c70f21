import { decodeFrame, type Frame, FrameError } from './frame';
import { FrameValidator } from './validate';

/** Decodes and validates the frames of one feed, and keeps in mind what of them could not be read. */
export class FrameReader {
  /** Why data is missing, for users; '' where nothing is, as of another scheduler, or of one that was restarted since. */
  get missing(): string {
    return this.reason;
  }

  /** Read a frame; `null` if nothing of it can be read. */
  read(buffer: ArrayBuffer | ArrayBufferView): Frame | null {
    try {
      const bytes = ArrayBuffer.isView(buffer) ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) : buffer;
      const { frame, problems } = this.validator.check(decodeFrame(bytes));
      const life = `${frame.feed} ${frame.epoch}`;
      if (problems.length > 0) {
        this.reason = `${problems[0]} What it held is left out.`;
      } else if (this.life !== null && this.life !== life) {
        this.reason = '';
      }
      this.life = life;
      return frame;
    } catch (error) {
      if (!(error instanceof FrameError)) {
        throw error;
      }
      this.reason = `The kernel sends what this version cannot read (${error.message}): install the same version of dask-panes in both environments.`;
      this.life = null;
      return null;
    }
  }

  private reason = '';
  /** The scheduler, and which of its lives, of the last frame; `null` where that could not be read: it is that of the next. */
  private life: string | null = null;
  private readonly validator = new FrameValidator();
}
