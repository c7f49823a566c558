/** Crazyradio: a USB dongle, its radio packets, and the link to one Crazyflie. */
export { parseAck, type RadioAck } from './ack.js';
export { Crazyradio } from './crazyradio.js';
export { RadioLink, type RadioLinkOptions } from './radio-link.js';
export { parseRadioUri, RATES, type RadioRate, type RadioUri } from './radio-uri.js';
export { CRAZYRADIO_USB, REQUEST, type RadioUsb } from './radio-usb.js';
export { isSafelinkEcho, Safelink, SAFELINK_ON } from './safelink.js';
export { RadioMeter, type RadioStatistics } from './statistics.js';
