/**
 * Who is listening: ground stations and companion computers, by their heartbeats.
 * In: HEARTBEAT. Out: whether they are there, and the events when they come and go.
 */
import type { Outbox } from './outbox.js';
import type { ParameterStore } from './parameters.js';
import type { IncomingMessage } from './types.js';

const MAV_TYPE_GCS = 6;
const MAV_TYPE_ONBOARD_CONTROLLER = 18;
/** Loss was noticed 11.5 to 13.3 s after the last heartbeat with COM_DL_LOSS_T = 10. */
const NOTICE_S = 1.5;

export class Peers {
  private groundStationS: number | undefined;
  private companionS: number | undefined;
  private groundStationLost = false;
  private companionLost = false;

  constructor(
    private readonly parameters: ParameterStore,
    private readonly outbox: Outbox,
    private readonly systemId: number,
    private readonly timeMs: () => number,
  ) {}

  handle(message: IncomingMessage): boolean {
    if (message.name !== 'HEARTBEAT') return false;
    const type = message.fields['type'];
    if (type === MAV_TYPE_GCS) {
      this.groundStationS = 0;
      this.outbox.groundStationHeard = true;
      if (this.groundStationLost) this.outbox.event(this.timeMs(), 'commander_dl_regained');
      this.groundStationLost = false;
    }
    // A companion counts only when it carries the vehicle's own system id.
    if (type === MAV_TYPE_ONBOARD_CONTROLLER && message.systemId === this.systemId) {
      this.companionS = 0;
      if (this.companionLost) this.outbox.event(this.timeMs(), 'commander_onboard_ctrl_regained');
      this.companionLost = false;
    }
    return true;
  }

  step(dtS: number): void {
    if (this.groundStationS !== undefined) this.groundStationS += dtS;
    if (this.companionS !== undefined) this.companionS += dtS;
    const patience = this.parameters.get('COM_DL_LOSS_T') + NOTICE_S;
    if (!this.groundStationLost && (this.groundStationS ?? 0) > patience) {
      this.groundStationLost = true;
      this.outbox.event(this.timeMs(), 'commander_gcs_lost');
    }
    const companionPatience = this.parameters.get('COM_OBC_LOSS_T');
    if (!this.companionLost && (this.companionS ?? 0) > companionPatience) {
      this.companionLost = true;
      this.outbox.event(this.timeMs(), 'commander_mission_comp_lost');
    }
  }

  get groundStation(): boolean {
    return this.groundStationS !== undefined && !this.groundStationLost;
  }
}
