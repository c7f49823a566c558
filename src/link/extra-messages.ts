/**
 * Messages that PX4 sends and mavlink-mappings leaves out, because the MAVLink XML marks them as
 * work in progress. Enters: nothing. Leaves: their fields in wire order (largest type first).
 * Never: a message that mavlink-mappings has. CRC extras are recomputed in the tests.
 */

export interface ExtraMessage {
  readonly id: number;
  readonly name: string;
  readonly crcExtra: number;
  /** [name, MAVLink type, array length or 0] */
  readonly fields: readonly (readonly [string, string, number])[];
}

export const EXTRA_MESSAGES: readonly ExtraMessage[] = [
  {
    id: 8,
    name: 'LINK_NODE_STATUS',
    crcExtra: 117,
    fields: [
      ['timestamp', 'uint64_t', 0],
      ['tx_rate', 'uint32_t', 0],
      ['rx_rate', 'uint32_t', 0],
      ['messages_sent', 'uint32_t', 0],
      ['messages_received', 'uint32_t', 0],
      ['messages_lost', 'uint32_t', 0],
      ['rx_parse_err', 'uint16_t', 0],
      ['tx_overflows', 'uint16_t', 0],
      ['rx_overflows', 'uint16_t', 0],
      ['tx_buf', 'uint8_t', 0],
      ['rx_buf', 'uint8_t', 0],
    ],
  },
  {
    id: 290,
    name: 'ESC_INFO',
    crcExtra: 251,
    fields: [
      ['time_usec', 'uint64_t', 0],
      ['error_count', 'uint32_t', 4],
      ['counter', 'uint16_t', 0],
      ['failure_flags', 'uint16_t', 4],
      ['temperature', 'int16_t', 4],
      ['index', 'uint8_t', 0],
      ['count', 'uint8_t', 0],
      ['connection_type', 'uint8_t', 0],
      ['info', 'uint8_t', 0],
    ],
  },
  {
    id: 291,
    name: 'ESC_STATUS',
    crcExtra: 10,
    fields: [
      ['time_usec', 'uint64_t', 0],
      ['rpm', 'int32_t', 4],
      ['voltage', 'float', 4],
      ['current', 'float', 4],
      ['index', 'uint8_t', 0],
    ],
  },
  {
    id: 300,
    name: 'PROTOCOL_VERSION',
    crcExtra: 217,
    fields: [
      ['version', 'uint16_t', 0],
      ['min_version', 'uint16_t', 0],
      ['max_version', 'uint16_t', 0],
      ['spec_version_hash', 'uint8_t', 8],
      ['library_version_hash', 'uint8_t', 8],
    ],
  },
  {
    id: 345,
    name: 'PARAM_ERROR',
    crcExtra: 209,
    fields: [
      ['param_index', 'int16_t', 0],
      ['target_system', 'uint8_t', 0],
      ['target_component', 'uint8_t', 0],
      ['param_id', 'char', 16],
      ['error', 'uint8_t', 0],
    ],
  },
  {
    id: 380,
    name: 'TIME_ESTIMATE_TO_TARGET',
    crcExtra: 232,
    fields: [
      ['safe_return', 'int32_t', 0],
      ['land', 'int32_t', 0],
      ['mission_next_item', 'int32_t', 0],
      ['mission_end', 'int32_t', 0],
      ['commanded_action', 'int32_t', 0],
    ],
  },
  {
    id: 397,
    name: 'COMPONENT_METADATA',
    crcExtra: 182,
    fields: [
      ['time_boot_ms', 'uint32_t', 0],
      ['file_crc', 'uint32_t', 0],
      ['uri', 'char', 100],
    ],
  },
  {
    id: 410,
    name: 'EVENT',
    crcExtra: 160,
    fields: [
      ['id', 'uint32_t', 0],
      ['event_time_boot_ms', 'uint32_t', 0],
      ['sequence', 'uint16_t', 0],
      ['destination_component', 'uint8_t', 0],
      ['destination_system', 'uint8_t', 0],
      ['log_levels', 'uint8_t', 0],
      ['arguments', 'uint8_t', 40],
    ],
  },
  {
    id: 411,
    name: 'CURRENT_EVENT_SEQUENCE',
    crcExtra: 106,
    fields: [
      ['sequence', 'uint16_t', 0],
      ['flags', 'uint8_t', 0],
    ],
  },
  {
    id: 412,
    name: 'REQUEST_EVENT',
    crcExtra: 33,
    fields: [
      ['first_sequence', 'uint16_t', 0],
      ['last_sequence', 'uint16_t', 0],
      ['target_system', 'uint8_t', 0],
      ['target_component', 'uint8_t', 0],
    ],
  },
  {
    id: 413,
    name: 'RESPONSE_EVENT_ERROR',
    crcExtra: 77,
    fields: [
      ['sequence', 'uint16_t', 0],
      ['sequence_oldest_available', 'uint16_t', 0],
      ['target_system', 'uint8_t', 0],
      ['target_component', 'uint8_t', 0],
      ['reason', 'uint8_t', 0],
    ],
  },
];
