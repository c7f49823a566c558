/**
 * A camera aboard, by MAVLink's camera protocol: single pictures.
 * In: MAV_CMD_IMAGE_START_CAPTURE for its own component. Out: CAMERA_IMAGE_CAPTURED.
 * Never takes a second picture for a sequence number that it has seen.
 */
import { ACCEPTED, type Device, type DeviceCommand, type DeviceView, type Say } from './device.js';

/** MAV_COMP_ID_CAMERA */
export const CAMERA_COMPONENT = 100;
const IMAGE_START_CAPTURE = 2000;
/** Shutter and storage. */
const EXPOSURE_US = 400_000;

export class Camera implements Device {
  readonly component = CAMERA_COMPONENT;
  private index = 0;
  private lastSequence: number | undefined;
  private dueUs: number | undefined;

  handle({ command, p }: DeviceCommand, view: DeviceView): number | undefined {
    if (command !== IMAGE_START_CAPTURE) return undefined;
    if (p[4] !== this.lastSequence) this.dueUs = view.bootUs + EXPOSURE_US;
    this.lastSequence = p[4];
    return ACCEPTED;
  }

  step(view: DeviceView, say: Say): void {
    if (this.dueUs === undefined || view.bootUs < this.dueUs) return;
    this.dueUs = undefined;
    this.index += 1;
    const { geo } = view;
    say('CAMERA_IMAGE_CAPTURED', {
      time_utc: 0n,
      time_boot_ms: Math.floor(view.bootUs / 1000),
      lat: Math.round(geo.latitudeDeg * 1e7),
      lon: Math.round(geo.longitudeDeg * 1e7),
      alt: Math.round(geo.altitudeM * 1000),
      relative_alt: 0,
      q: [1, 0, 0, 0],
      image_index: this.index,
      camera_id: 0,
      capture_result: 1,
      file_url: `mftp://dcim/${String(this.index).padStart(4, '0')}.jpg`,
    });
  }
}
