import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { secondMs } from '../../base/units.js';
import { readBody, sendOutgoing, type Outgoing } from '../../http/outgoing.js';
import { sha256 } from './crypto.js';
import * as sql from './custody.sql.js';
import { verifyAnswer } from './openssl.js';
import { certificatesOf, withCertificates } from './time-stamp.js';

// Has a service of RFC 3161 stamp checkpoints: they were there by then, whatever becomes of this machine's clock.

/** How long the service may take, in milliseconds. */
const answerMs = 10 * secondMs;
const maxAnswerBytes = 64 * 1024;
/** Of a token without certificates: what leaves room in a proof. */
const maxTokenBytes = 2_000;

interface StampParts {
  readonly db: DataSource;
  readonly outgoing: Outgoing;
  readonly url: string;
  /** The file of certificates that the service's have to lead to. */
  readonly ca: string;
}

export class Stamps {
  constructor(private readonly parts: StampParts) {}

  /**
   * Has the newest checkpoints stamped, each log at most once a minute, whichever node does it.
   * @throws Error the first failure; `doctor` names it, and the log is tried again a minute later.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    const { db } = this.parts;
    for (let log = await sql.claimUnstamped(db); log; log = await sql.claimUnstamped(db)) {
      try {
        const token = await this.#ask(log.checkpoint, signal);
        const [bare, certificates] = [withCertificates(token, none), certificatesOf(token)];
        if (bare.length > maxTokenBytes) throw new Error(`it takes ${bare.length} bytes`);
        await sql.insertStamp(db, log, { token: bare, certificates });
      } catch (error) {
        if (signal.aborted) return;
        await sql.noteUnstamped(db, log, (error as Error).message.slice(0, 500));
        throw error;
      }
    }
  }

  async #ask(checkpoint: string, stopping: AbortSignal): Promise<Uint8Array> {
    const { url, outgoing, ca } = this.parts;
    const query = queryOf(checkpoint);
    const headers = { 'content-type': 'application/timestamp-query' };
    const request = { method: 'POST', url, headers, body: query } as const;
    const bounds = { ms: answerMs, stopping };
    const answer = await sendOutgoing(request, outgoing, bounds, async ({ statusCode, body }) => {
      if (statusCode !== 200) throw new Error(`the service answers ${statusCode}`);
      return readBody(body, maxAnswerBytes);
    });
    return verifyAnswer(query, answer, ca);
  }
}

const none = new Uint8Array();

/** A TimeStampReq with a nonce that asks for certificates, too. */
function queryOf(text: string): Buffer {
  const nonce = randomBytes(8);
  nonce[0] = 0x40 | ((nonce[0] ?? 0) & 0x3f); // positive, and no shorter than it is
  return Buffer.concat([
    Buffer.from('3043020101' + '3031300d060960864801650304020105000420', 'hex'),
    sha256(text),
    Buffer.from('0208', 'hex'),
    nonce,
    Buffer.from('0101ff', 'hex'),
  ]);
}
