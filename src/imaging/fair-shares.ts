/** Users remembered at most, a megabyte or two. */
const maxUsers = 10_000;

interface Share {
  /** Pictures that are worked on. */
  running: number;
  /** Processor time that the user's pictures have taken, in seconds; those who come late start level. */
  used: number;
  /** True after a picture that took far longer than its looks said, until one of the user's does not. */
  distrusted: boolean;
}

const none: Readonly<Share> = { running: 0, used: 0, distrusted: false };

/** Who has had how much of the decoders, so that the next turn goes to whoever has had least. */
export class FairShares {
  readonly #shares = new Map<string, Share>();
  /** Where those start who come now: what the user of the latest turn had used. */
  #level = 0;

  /** Negative when user `a` comes before user `b`. */
  compare(a: string, b: string): number {
    const [x, y] = [this.#shares.get(a) ?? none, this.#shares.get(b) ?? none];
    return (
      Number(x.distrusted) - Number(y.distrusted) ||
      x.running - y.running ||
      Math.max(x.used, this.#level) - Math.max(y.used, this.#level)
    );
  }

  isDistrusted(user: string): boolean {
    return this.#shares.get(user)?.distrusted ?? false;
  }

  distrust(user: string): void {
    this.#shareOf(user).distrusted = true;
  }

  trust(user: string): void {
    const share = this.#shares.get(user);
    if (share) share.distrusted = false;
  }

  start(user: string): void {
    const share = this.#shareOf(user);
    share.used = Math.max(share.used, this.#level);
    this.#level = share.used;
    share.running++;
  }

  /** @param cpuSeconds that the picture took. */
  finish(user: string, cpuSeconds: number): void {
    const share = this.#shareOf(user);
    share.running--;
    share.used += cpuSeconds;
    this.#forgetSome();
  }

  #shareOf(user: string): Share {
    const share = this.#shares.get(user) ?? { ...none };
    this.#shares.set(user, share);
    return share;
  }

  #forgetSome(): void {
    if (this.#shares.size <= maxUsers) return;
    // The longest known first; who is forgotten starts level again.
    for (const [user, { running }] of this.#shares) {
      if (running === 0) this.#shares.delete(user);
      if (this.#shares.size <= maxUsers / 2) return;
    }
  }
}
