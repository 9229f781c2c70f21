/** A link between browser and server that can fail in different ways: half open, cut, slow. */
import { createServer, type Server, Socket } from 'node:net';

/** Bytes per turn of a slow link. */
const TURN_MS = 20;

/** A pair of sockets: one to the browser, the other to the server. */
interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

/** Forwards TCP connections to a server on this machine. */
export class Relay {
  /**
   * @param target - URL of the server
   */
  static async start(target: string): Promise<Relay> {
    const relay = new Relay(Number(new URL(target).port));
    await new Promise<void>(resolve => relay.server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  private constructor(private readonly port: number) {
    this.server = createServer({ pauseOnConnect: true }, near => this.accept(near));
  }

  /** URL of the server through this relay. */
  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') {
      throw new Error('the relay is closed');
    }
    return `http://127.0.0.1:${address.port}`;
  }

  /** Forward nothing, but keep every connection open, like a dead network. */
  stall(): void {
    this.stalled = true;
    for (const { near, far } of this.pairs) {
      near.pause();
      far.pause();
    }
  }

  /** Forward nothing over the open websockets, like a proxy that has forgotten them; new connections work. */
  stallWebsockets(): void {
    for (const { near, far } of this.pairs) {
      if (this.upgraded.has(near)) {
        near.pause();
        far.pause();
      }
    }
  }

  /** Close every connection, and every new one immediately. */
  cut(): void {
    this.isCut = true;
    for (const { near, far } of [...this.pairs]) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  /** Close the websockets as a server does on an orderly shutdown: code 1001. */
  sayGoodbye(): void {
    for (const { near, far } of [...this.pairs]) {
      if (this.upgraded.has(near)) {
        near.end(Buffer.from([0x88, 0x02, 0x03, 0xe9]));
        far.destroy();
      }
    }
  }

  /** Restore normal operation. */
  mend(): void {
    this.stalled = this.isCut = false;
    this.rate = Number.POSITIVE_INFINITY;
    for (const { near, far } of this.pairs) {
      near.resume();
      far.resume();
    }
  }

  /**
   * Limit the total rate of all connections towards the browser, in bytes per second.
   *
   * @param latency - added delay in milliseconds
   */
  slow(bytesPerSecond: number, latency: number): void {
    this.rate = bytesPerSecond;
    this.latency = latency;
  }

  async close(): Promise<void> {
    this.cut();
    clearInterval(this.timer);
    await new Promise<void>(resolve => this.server.close(() => resolve()));
  }

  private accept(near: Socket): void {
    if (this.isCut) {
      near.resetAndDestroy();
      return;
    }
    const far = new Socket();
    const pair = { near, far };
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      socket.on('error', end);
      socket.on('close', end);
      socket.setNoDelay(true);
    }
    near.on('data', data => {
      if (/^upgrade: *websocket/im.test(data.toString('latin1', 0, 4096))) {
        this.upgraded.add(near);
      }
      far.write(data);
    });
    far.on('data', data => this.pass(near, data));
    far.connect(this.port, '127.0.0.1');
    if (!this.stalled) {
      near.resume();
    } else {
      far.pause();
    }
  }

  /** One queue for all, like a bottleneck: large data delays small data. */
  private pass(near: Socket, data: Buffer): void {
    if (this.rate === Number.POSITIVE_INFINITY && this.queue.length === 0) {
      near.write(data);
      return;
    }
    this.queue.push({ near, data, due: performance.now() + this.latency });
    this.timer ??= setInterval(() => this.drain(), TURN_MS);
  }

  private drain(): void {
    let left = (this.rate * TURN_MS) / 1000;
    while (left > 0 && this.queue.length > 0 && this.queue[0].due <= performance.now()) {
      const first = this.queue[0];
      const part = first.data.subarray(0, Math.min(first.data.length, Math.ceil(left)));
      left -= part.length;
      if (!first.near.destroyed) {
        first.near.write(part);
      }
      if (part.length === first.data.length) {
        this.queue.shift();
      } else {
        first.data = first.data.subarray(part.length);
      }
    }
    if (this.queue.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }

  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private readonly upgraded = new WeakSet<Socket>();
  private readonly queue: { readonly near: Socket; data: Buffer; readonly due: number }[] = [];
  private timer: ReturnType<typeof setInterval> | undefined;
  private stalled = false;
  private isCut = false;
  private rate = Number.POSITIVE_INFINITY;
  private latency = 0;
}
