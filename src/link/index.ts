/** The door of the link room: bytes to and from a vehicle. */
export {
  decodePayload,
  encodePayload,
  type EncodedPayload,
  type EncodeOptions,
  type MavFields,
  type MavMessage,
  type MavValue,
} from './codec.js';
export { allMessages, messageInfo, messageInfoByName, type MessageInfo } from './dictionary.js';
export { bigintField, numberField, numbersField, textField } from './fields.js';
export { type Refused } from './errors.js';
export { encodeFrame, MAX_FRAME_LENGTH, type FrameParts } from './frame.js';
export { FrameParser, type ParserStats, type ReceivedFrame } from './parser.js';
export {
  parseConnectionUrl,
  type Connection,
  type SerialOptions,
  type TcpOptions,
  type UdpOptions,
} from './connection-url.js';
export {
  createMavlinkKey,
  openSigning,
  readMavlinkKey,
  type MavlinkKey,
  type OpenSigning,
} from './key-file.js';
export { openConnection } from './open.js';
export {
  KEY_LENGTH,
  LinkSigning,
  SIGNATURE_LENGTH,
  signingTime,
  type SignatureVerdict,
  type SignedFrame,
} from './signing.js';
export { openSerial, type SerialTransport } from './serial.js';
export { openTcp, type TcpTransport } from './tcp.js';
export { openUdp, type UdpTransport } from './udp.js';
export type { Endpoint, Receiver, Sent, Transport, TransportStats } from './transport.js';
export {
  MavlinkLink,
  type ActuationPort,
  type LinkOptions,
  type LinkStats,
  type ReceivedMessage,
  type Written,
} from './mavlink-link.js';
export type { ComponentLoss } from './loss.js';
export {
  Crazyradio,
  CRAZYRADIO_USB,
  parseRadioUri,
  RadioLink,
  REQUEST,
  type RadioAck,
  type RadioLinkOptions,
  type RadioStatistics,
  type RadioUri,
  type RadioUsb,
} from './crazyradio/index.js';
export * from './crtp/index.js';
