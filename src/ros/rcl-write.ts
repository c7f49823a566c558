/**
 * Messages on their way out, without rclnodejs's slow structures. Enters: plain data.
 * Leaves: wire bytes for topics, and C structures for answers, which ROS takes in no other form.
 * Never: a structure that is read after the next one of its type was made: it is used again.
 */
import { compileEncoder, type Encoder, type MessageDefinition } from './cdr.js';
import type { RawMessageClass, RawNative, RawRcl } from './rcl-raw.js';

export class MessageWriter {
  readonly #raw: RawRcl;
  readonly #native: RawNative;
  readonly #encoders = new Map<RawMessageClass, Encoder>();
  /** With the object that owns the memory. */
  readonly #structures = new Map<RawMessageClass, { owner: object; memory: Buffer }>();

  constructor(raw: RawRcl, native: RawNative) {
    this.#raw = raw;
    this.#native = native;
  }

  encode(messageClass: RawMessageClass, message: object): Buffer {
    let encoder = this.#encoders.get(messageClass);
    if (encoder === undefined) {
      encoder = compileEncoder(messageClass.ROSMessageDef, (pkg, name) =>
        this.#definition(pkg, name),
      );
      this.#encoders.set(messageClass, encoder);
    }
    return encoder(message);
  }

  /**
   * The message as a C structure, filled from its bytes by ROS itself. One structure a type is
   * kept: ROS frees what it held before, which rclnodejs takes 0.1 ms a nested message for.
   */
  structure(messageClass: RawMessageClass, message: object): Buffer {
    let kept = this.#structures.get(messageClass);
    if (kept === undefined) {
      const owner = new messageClass();
      kept = { owner, memory: owner.toRawROS() };
      this.#structures.set(messageClass, kept);
    }
    const { pkgName, subFolder, interfaceName } = messageClass.type();
    const bytes = this.encode(messageClass, message);
    this.#native.deserialize(pkgName, subFolder, interfaceName, bytes, kept.memory);
    return kept.memory;
  }

  /** Parts of an action are kept beside it; everything else is a message. */
  #definition(pkg: string, name: string): MessageDefinition {
    const kind = /_(Goal|Result|Feedback)$/.test(name) ? 'action' : 'msg';
    return this.#raw.require(`${pkg}/${kind}/${name}`).ROSMessageDef;
  }
}

/** rclnodejs, its addon, and our way around its slow part. */
export interface RawRos {
  readonly raw: RawRcl;
  readonly native: RawNative;
  readonly writer: MessageWriter;
}
