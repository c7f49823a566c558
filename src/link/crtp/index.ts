/** CRTP: what a Crazyflie with its stock firmware speaks. */
export {
  DATA_MAX,
  decodeCrtp,
  encodeCrtp,
  isNullPacket,
  NULL_PACKET,
  PORT,
  type CrtpPacket,
} from './packet.js';
export { isServicePacket } from './service-packets.js';
export { LOG_TYPES, PARAM_TYPES, readValue, SIZE, writeValue, type ValueType } from './values.js';
