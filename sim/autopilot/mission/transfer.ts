/**
 * MAVLink's mission transfer, at the vehicle's end, as PX4 carries it out.
 * In: messages of a peer, time. Out: requests, items, acknowledgements; a list that arrived whole.
 * Never takes an item out of its turn, or two peers at once.
 */
import type { Outbox } from '../outbox.js';
import type { Fields, IncomingMessage } from '../types.js';

/** MAV_MISSION_RESULT. */
export const RESULT = {
  accepted: 0,
  error: 1,
  unsupportedFrame: 2,
  unsupported: 3,
  noSpace: 4,
} as const;

/** PX4 asks for an item again after 250 ms, and gives up when it has heard nothing for 5 s. */
const ASK_AGAIN_US = 250_000;
const GIVE_UP_US = 5_000_000;
/** PX4's boards keep 500 items at the least. */
const ITEMS_MAX = 500;

const COMMAND = { waypoint: 16, changeSpeed: 178 } as const;
/** MAV_FRAME: no place at all; in integers, above sea level or above home. */
const FRAME = { mission: 2, globalInt: 5, relativeInt: 6 } as const;
const PLACES: readonly number[] = [FRAME.globalInt, FRAME.relativeInt];

/** One stored item, as MISSION_ITEM_INT has it. */
export interface StoredItem {
  readonly frame: number;
  readonly command: number;
  readonly param1: number;
  readonly param2: number;
  readonly param3: number;
  readonly param4: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly autocontinue: number;
}

/** Its height counts from home, as that is now. */
export const isAboveHome = (item: StoredItem): boolean => item.frame === FRAME.relativeInt;

export const isSpeed = (item: StoredItem): boolean => item.command === COMMAND.changeSpeed;

type Peer = Pick<IncomingMessage, 'systemId' | 'componentId'>;
type State = 'idle' | 'receiving' | 'sending';

export interface TransferEnds {
  readonly systemId: number;
  /** The list in force. */
  items(): readonly StoredItem[];
  current(): number;
  /** A list has come whole; the id by which it is known. */
  stored(items: readonly StoredItem[]): number;
  setCurrent(seq: number): void;
}

export class MissionTransfer {
  private state: State = 'idle';
  private peer: Peer | undefined;
  private expected = 0;
  private next = 0;
  private incoming: StoredItem[] = [];
  private heardUs = 0;
  private askedUs = 0;
  private lastId = 0;

  constructor(
    private readonly outbox: Outbox,
    private readonly ends: TransferEnds,
  ) {}

  /** True when the message belongs to the mission transfer. */
  handle(message: IncomingMessage, nowUs: number): boolean {
    if (!message.name.startsWith('MISSION_')) return false;
    const { fields } = message;
    const component = fields['target_component'];
    const mine = fields['target_system'] === this.ends.systemId;
    if (!mine || (component !== 0 && component !== 1)) return true;
    // Fences and rally points are not kept here: there never are any.
    if ((fields['mission_type'] ?? 0) !== 0) {
      this.acknowledge(message, RESULT.unsupported);
      return true;
    }
    switch (message.name) {
      case 'MISSION_COUNT':
        this.begin(message, nowUs);
        break;
      case 'MISSION_ITEM_INT':
        this.take(message, nowUs);
        break;
      case 'MISSION_REQUEST_LIST':
        this.tellCount(message, nowUs);
        break;
      case 'MISSION_REQUEST_INT':
      case 'MISSION_REQUEST':
        this.tellItem(message, nowUs);
        break;
      case 'MISSION_ACK':
        if (this.state === 'sending' && this.isPeer(message)) this.state = 'idle';
        break;
      case 'MISSION_CLEAR_ALL':
        if (this.state !== 'idle') break;
        this.ends.stored([]);
        this.acknowledge(message, RESULT.accepted);
        break;
      case 'MISSION_SET_CURRENT':
        if (this.state === 'idle') this.ends.setCurrent(Number(fields['seq']));
        break;
    }
    return true;
  }

  step(nowUs: number): void {
    if (this.state === 'idle') return;
    if (nowUs - this.heardUs > GIVE_UP_US) this.state = 'idle';
    else if (this.state === 'receiving' && nowUs - this.askedUs > ASK_AGAIN_US) this.ask(nowUs);
  }

  private begin(message: IncomingMessage, nowUs: number): void {
    const count = Number(message.fields['count']);
    const again = this.state === 'receiving' && this.isPeer(message) && this.next === 0;
    if (this.state !== 'idle' && !again) return this.acknowledge(message, RESULT.error);
    this.peer = message;
    this.heardUs = nowUs;
    if (count > ITEMS_MAX) return this.acknowledge(message, RESULT.noSpace);
    if (count === 0) {
      this.ends.stored([]);
      return this.acknowledge(message, RESULT.accepted);
    }
    this.state = 'receiving';
    this.expected = count;
    this.next = 0;
    this.incoming = [];
    this.ask(nowUs);
  }

  private take(message: IncomingMessage, nowUs: number): void {
    const seq = Number(message.fields['seq']);
    if (!this.isPeer(message)) return;
    if (this.state === 'idle') {
      // The last one once more: its acknowledgement was lost.
      const last = this.next > 0 && this.next === seq + 1;
      return this.acknowledge(message, last ? RESULT.accepted : RESULT.error, this.lastId);
    }
    if (this.state === 'sending') return this.acknowledge(message, RESULT.error);
    this.heardUs = nowUs;
    if (seq !== this.next) return;
    const item = itemOf(message.fields);
    const trouble = troubleOf(item);
    if (trouble !== undefined) {
      this.state = 'idle';
      return this.acknowledge(message, trouble);
    }
    this.incoming.push(item);
    this.next += 1;
    if (this.next < this.expected) return this.ask(nowUs);
    this.state = 'idle';
    this.lastId = this.ends.stored(this.incoming);
    this.acknowledge(message, RESULT.accepted, this.lastId);
  }

  private tellCount(message: IncomingMessage, nowUs: number): void {
    const free = this.state === 'idle' || (this.state === 'sending' && this.isPeer(message));
    if (!free) return;
    this.state = 'sending';
    this.peer = message;
    this.heardUs = nowUs;
    this.next = 0;
    this.outbox.send('MISSION_COUNT', {
      ...to(message),
      count: this.ends.items().length,
      mission_type: 0,
      opaque_id: this.lastId,
    });
  }

  private tellItem(message: IncomingMessage, nowUs: number): void {
    if (this.state !== 'sending' || !this.isPeer(message)) return;
    this.heardUs = nowUs;
    const seq = Number(message.fields['seq']);
    const item = this.ends.items()[seq];
    // In their order, and the last one once more when it was lost.
    if (item === undefined || (seq !== this.next && seq !== this.next - 1)) {
      this.state = 'idle';
      return this.acknowledge(message, RESULT.error);
    }
    this.next = seq + 1;
    const current = seq === this.ends.current() ? 1 : 0;
    this.outbox.send('MISSION_ITEM_INT', {
      ...to(message),
      ...item,
      seq,
      current,
      mission_type: 0,
    });
  }

  private ask(nowUs: number): void {
    this.askedUs = nowUs;
    if (this.peer === undefined) return;
    const fields = { ...to(this.peer), seq: this.next, mission_type: 0 };
    this.outbox.send('MISSION_REQUEST_INT', fields);
  }

  private acknowledge(peer: Peer, type: number, opaqueId = 0): void {
    const fields = { ...to(peer), type, mission_type: 0, opaque_id: opaqueId };
    this.outbox.send('MISSION_ACK', fields);
  }

  private isPeer({ systemId, componentId }: Peer): boolean {
    return this.peer?.systemId === systemId && this.peer.componentId === componentId;
  }
}

const to = ({ systemId, componentId }: Peer) => ({
  target_system: systemId,
  target_component: componentId,
});

/** As PX4 keeps it: what a waypoint does not use comes back as zero. */
function itemOf(fields: Fields): StoredItem {
  const number = (name: string): number => Number(fields[name]);
  const command = number('command');
  return {
    frame: number('frame'),
    command,
    param1: number('param1'),
    param2: number('param2'),
    param3: command === COMMAND.waypoint ? 0 : number('param3'),
    param4: number('param4'),
    x: number('x'),
    y: number('y'),
    z: number('z'),
    autocontinue: number('autocontinue'),
  };
}

function troubleOf({ frame, command }: StoredItem): number | undefined {
  const isPlace = PLACES.includes(frame);
  if (frame !== FRAME.mission && !isPlace) return RESULT.unsupportedFrame;
  if (command === COMMAND.changeSpeed && !isPlace) return undefined;
  return command === COMMAND.waypoint && isPlace ? undefined : RESULT.unsupported;
}
