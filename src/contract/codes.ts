/**
 * Every code that an operator, an agent or a reviewer can meet, with its title and its remedy.
 * Enters: nothing. Leaves: the table. Never: a code that is used and not listed here, or one
 * whose meaning changes: a code is retired, not reused. docs/reference/codes.md is this table.
 */

export interface CodeEntry {
  readonly title: string;
  readonly remedy: string;
}

export const CODES = {
  // 1xx: intake. The text of a response, before anything is believed.
  'HALO-101': { title: 'Response is not JSON', remedy: 'Send one JSON object in UTF-8.' },
  'HALO-102': { title: 'Response is too large', remedy: 'Keep a response within 256 KiB.' },
  'HALO-103': { title: 'Response is nested too deeply', remedy: 'Keep nesting within 16 levels.' },
  'HALO-104': { title: 'Duplicate key', remedy: 'Name each key of an object once.' },
  'HALO-105': { title: 'Forbidden key', remedy: 'Do not use __proto__, constructor or prototype.' },
  'HALO-106': { title: 'Number out of range', remedy: 'Use finite numbers; integers within 2^53.' },
  'HALO-107': {
    title: 'Text is not well formed',
    remedy: 'No BOM, no lone surrogates, valid UTF-8.',
  },
  'HALO-108': {
    title: 'Response does not fit its schema',
    remedy: 'Follow docs/schemas/response.json.',
  },
  'HALO-109': { title: 'Duplicate component id', remedy: 'Give each component its own id.' },
  'HALO-110': {
    title: 'Response is for another task',
    remedy: 'Answer the task that get_bridge_state names.',
  },
  'HALO-111': { title: 'Response id was used before', remedy: 'Give each response a fresh id.' },

  // 2xx: admission. One component against the catalog and live evidence.
  'HALO-201': { title: 'Unknown kind', remedy: 'Use a kind of the catalog.' },
  'HALO-202': { title: 'Parameter does not fit', remedy: 'Follow the kind’s parameter schema.' },
  'HALO-203': {
    title: 'Parameter outside a limit',
    remedy: 'Stay within the limit; nothing is clamped.',
  },
  'HALO-204': { title: 'Unknown prerequisite', remedy: 'Require only ids of the same response.' },
  'HALO-205': { title: 'Cyclic prerequisites', remedy: 'Order the components without a cycle.' },
  'HALO-206': {
    title: 'Prerequisite withheld',
    remedy: 'See the root cause; propose another way.',
  },
  'HALO-207': {
    title: 'Required state not brought about',
    remedy: 'Require a component that provides it.',
  },
  'HALO-208': { title: 'Evidence missing', remedy: 'Check that the source is running and mapped.' },
  'HALO-209': { title: 'Evidence too old', remedy: 'Check the source’s rate and the link.' },
  'HALO-210': { title: 'Evidence from the future', remedy: 'Check the source’s clock.' },
  'HALO-211': {
    title: 'Evidence does not support it',
    remedy: 'Wait for the world or propose otherwise.',
  },
  'HALO-212': {
    title: 'World changed since the basis',
    remedy: 'Ask for the state and answer afresh.',
  },
  'HALO-213': {
    title: 'Unknown basis',
    remedy: 'Name a snapshot of this run that is not too old.',
  },
  'HALO-214': { title: 'Two components want one resource', remedy: 'Order them with requires.' },
  'HALO-215': {
    title: 'Outside the permitted volume',
    remedy: 'Choose a target inside the limits.',
  },
  'HALO-216': { title: 'Approval needed', remedy: 'Let an operator approve this exact component.' },
  'HALO-217': {
    title: 'Obligation not of the contract',
    remedy: 'Fulfil only obligations of the contract.',
  },
  'HALO-218': {
    title: 'Evidence sources disagree',
    remedy: 'Find the wrong source before flying.',
  },
  'HALO-219': {
    title: 'Prerequisite of a kind not permitted',
    remedy: 'Require only kinds that the catalog permits before this one.',
  },
  'HALO-220': {
    title: 'Parameter not in the allow-list',
    remedy: 'Set only what the catalog lists, with its type.',
  },
  'HALO-221': {
    title: 'Safety parameter',
    remedy: 'Only an operator sets it, with a ground station.',
  },
  'HALO-222': {
    title: 'Approval holds shorter than it says',
    remedy: 'Nothing to do; the catalog limits how long one may hold.',
  },

  // 3xx: the life of a response, its obligations and the session.
  'HALO-301': { title: 'Another response is active', remedy: 'Wait, or discharge its obligation.' },
  'HALO-302': {
    title: 'Not in the obligation’s scope',
    remedy: 'Replace only components in scope.',
  },
  'HALO-303': {
    title: 'No such open obligation',
    remedy: 'Ask for the state; it may have expired.',
  },
  'HALO-304': {
    title: 'Obligation must be named',
    remedy: 'Set discharges to the open obligation.',
  },
  'HALO-305': {
    title: 'Attempts used up',
    remedy: 'The contract’s contingency runs; ask the operator.',
  },
  'HALO-306': { title: 'Pilot has control', remedy: 'Wait for the pilot; then answer afresh.' },
  'HALO-307': {
    title: 'Bridge is not taking responses',
    remedy: 'Activate it, or see its diagnostics.',
  },
  'HALO-308': { title: 'Too many requests waiting', remedy: 'Send the next one after an answer.' },
  'HALO-309': {
    title: 'Task time used up',
    remedy: 'The contract’s contingency runs; ask the operator.',
  },
  'HALO-310': { title: 'Aborted by the operator', remedy: 'Start a new run when it is safe.' },
  'HALO-311': {
    title: 'Interrupted by a fresh response',
    remedy: 'Answer afresh to go on; see what interrupted it.',
  },
  'HALO-312': {
    title: 'Task energy used up',
    remedy: 'The contract’s contingency runs; ask the operator.',
  },
  'HALO-313': {
    title: 'Task is complete already',
    remedy: 'Give the contract a new task id, or the bridge a new ledger folder.',
  },
  'HALO-314': {
    title: 'Not a later generation',
    remedy: 'Answer a denial with a fresh response.',
  },

  // 4xx: the gate. Why a frame did not leave, or a lease ended.
  'HALO-401': {
    title: 'Token unknown or spent',
    remedy: 'A token is good for one frame; admit afresh.',
  },
  'HALO-402': { title: 'Lease ended', remedy: 'Admit a fresh component.' },
  'HALO-403': {
    title: 'Lease has no frames left',
    remedy: 'Raise frames in the catalog, or plan shorter.',
  },
  'HALO-404': {
    title: 'Lease deadline passed',
    remedy: 'Raise deadlineS in the catalog, or plan shorter.',
  },
  'HALO-405': {
    title: 'Binding altered',
    remedy: 'The frame is not the admitted one; nothing was sent.',
  },
  'HALO-406': {
    title: 'Wire content altered',
    remedy: 'The bytes are not the admitted ones; nothing was sent.',
  },
  'HALO-407': {
    title: 'Token of another life',
    remedy: 'Authority ends with the process; admit afresh.',
  },
  'HALO-408': { title: 'Support lost', remedy: 'See the findings; the guardian has acted.' },
  'HALO-409': { title: 'Epoch moved', remedy: 'Something discontinuous happened; answer afresh.' },
  'HALO-410': { title: 'Prerequisite not ready', remedy: 'A prerequisite has no receipt yet.' },
  'HALO-411': {
    title: 'Intent not durable',
    remedy: 'The ledger has not confirmed the intent yet.',
  },
  'HALO-412': {
    title: 'Outside the admitted envelope',
    remedy: 'The frame leaves the admitted path.',
  },
  'HALO-413': {
    title: 'Gate is closed',
    remedy: 'See the diagnostics; restart once the cause is mended.',
  },
  'HALO-414': {
    title: 'Message not of this effect',
    remedy: 'An effect sends only its own messages.',
  },

  // 5xx: link and vehicle.
  'HALO-501': { title: 'Port in use', remedy: 'End the other program, or choose another port.' },
  'HALO-502': {
    title: 'Bad connection URL',
    remedy:
      'Use udpin://host:port, udpout://host:port, udp://:port@host:port, tcpin://host:port, ' +
      'tcpout://host:port, serial:/dev/path:baud or radio://0/80/2M/E7E7E7E7E7.',
  },
  'HALO-503': { title: 'Host not usable', remedy: 'Check the host name and the interface.' },
  'HALO-504': { title: 'Not a PX4 autopilot', remedy: 'Connect a vehicle that runs PX4.' },
  'HALO-505': {
    title: 'Frame not encodable',
    remedy: 'A field is missing, not finite or out of range.',
  },
  'HALO-506': {
    title: 'Actuation through the service door',
    remedy: 'Only the gate may write actuation.',
  },
  'HALO-507': { title: 'Send failed', remedy: 'Check the link.' },
  'HALO-508': { title: 'No vehicle heard', remedy: 'Start the vehicle; check URL and ports.' },
  'HALO-509': { title: 'Vehicle refused', remedy: 'See the vehicle’s own reason.' },
  'HALO-510': {
    title: 'Effect not observed in time',
    remedy: 'The outcome is unknown; look at the vehicle.',
  },
  'HALO-511': { title: 'Wrong vehicle', remedy: 'Check the system id that the parameters name.' },
  'HALO-512': {
    title: 'Vehicle stores another mission',
    remedy: 'Look who else uploads; then upload afresh.',
  },
  'HALO-513': {
    title: 'Serial line not usable',
    remedy: 'Check path, cable and rights (on Linux often the group dialout).',
  },
  'HALO-514': {
    title: 'TCP peer not connected',
    remedy: 'Start the other end; check host and port.',
  },
  'HALO-515': {
    title: 'MAVLink key not usable',
    remedy: 'Make one with halo keygen --mavlink FILE; give it mode 0600 and the bridge as owner.',
  },
  'HALO-516': {
    title: 'Vehicle does not sign with our key',
    remedy: 'Give the vehicle the same key file, and set MAV_SIGN_CFG to 1 or 2.',
  },
  'HALO-517': {
    title: 'Bytes that are no MAVLink 2',
    remedy: 'Check the baud rate, and that the other end speaks MAVLink 2.',
  },
  'HALO-518': {
    title: 'Two vehicles with one system id',
    remedy: 'Give each vehicle an id of its own (MAV_SYS_ID); then start the bridge again.',
  },

  // 6xx: ledger and receipts.
  'HALO-601': {
    title: 'Ledger is held by another writer',
    remedy: 'End the other bridge, or use another folder.',
  },
  'HALO-602': {
    title: 'Ledger is damaged',
    remedy: 'Keep the folder for review; start with a new one.',
  },
  'HALO-603': { title: 'Torn tail cut', remedy: 'Nothing to do; the last write did not finish.' },
  'HALO-604': {
    title: 'Ledger cannot be written',
    remedy: 'Check disk space and rights; restart.',
  },
  'HALO-605': {
    title: 'Ledger of another key',
    remedy: 'Use the key that opened it, or a new folder.',
  },
  'HALO-606': { title: 'Ledger from a newer version', remedy: 'Use a bridge at least as new.' },
  'HALO-607': { title: 'Key file not safe', remedy: 'Give it mode 0600.' },
  'HALO-608': {
    title: 'Key is there already',
    remedy: 'Keep it; or replace it with halo keygen --rotate, which the ledger records.',
  },
  'HALO-609': {
    title: 'Ledger snapshot cannot be used',
    remedy: 'Nothing is lost: the start reads all records, and takes longer.',
  },
  'HALO-611': {
    title: 'Receipt not valid',
    remedy: 'Its signature or form does not hold; nothing changed.',
  },
  'HALO-612': { title: 'Receipt not fresh', remedy: 'It was issued before; nothing changed.' },
  'HALO-613': {
    title: 'Receipt of another frontier',
    remedy: 'It is bound to another prefix; nothing changed.',
  },
  'HALO-614': { title: 'Receipt matches no open obligation', remedy: 'Nothing changed.' },
  'HALO-615': {
    title: 'Receipt matches several obligations',
    remedy: 'Make the contract’s targets distinct.',
  },
  'HALO-616': {
    title: 'Predecessor not satisfied',
    remedy: 'Satisfy the obligations before it first.',
  },
  'HALO-617': {
    title: 'Receipt without admission',
    remedy: 'Only admitted effects count; nothing changed.',
  },
  'HALO-618': {
    title: 'Receipt without execution evidence',
    remedy: 'Only observed effects count; nothing changed.',
  },
  'HALO-619': {
    title: 'Receipt names another obligation',
    remedy: 'It closes only the one that it was signed for; nothing changed.',
  },

  // 7xx: what the operator configures.
  'HALO-701': { title: 'File cannot be read', remedy: 'Check path and rights.' },
  'HALO-702': { title: 'File is not YAML', remedy: 'Mend the line that is named.' },
  'HALO-703': {
    title: 'Contract does not fit its schema',
    remedy: 'Follow docs/schemas/contract.json.',
  },
  'HALO-704': {
    title: 'Contract contradicts itself',
    remedy: 'Mend the obligation that is named.',
  },
  'HALO-705': {
    title: 'Catalog does not fit its schema',
    remedy: 'Follow docs/schemas/catalog.json.',
  },
  'HALO-706': { title: 'Catalog contradicts itself', remedy: 'Mend the kind that is named.' },
  'HALO-707': { title: 'Evidence map does not fit', remedy: 'Mend the entry that is named.' },
  'HALO-708': {
    title: 'Parameter value not permitted',
    remedy: 'Use a value within the declared range.',
  },
  'HALO-709': {
    title: 'Plan file cannot be taken',
    remedy: 'Mend or remove the item that is named.',
  },
  'HALO-710': {
    title: 'Parameter file cannot be taken',
    remedy: 'Mend the line that is named; tabs stand between its five fields.',
  },
  'HALO-711': {
    title: 'Vehicle parameter will hurt',
    remedy: 'Set it with a ground station; the bridge never does.',
  },
  'HALO-712': {
    title: 'Vehicle parameter not known',
    remedy: 'Look at it with a ground station before flying.',
  },

  // 8xx: the machine around the bridge.
  'HALO-801': { title: 'ROS 2 not found', remedy: 'Source a ROS 2 set-up file, or run npm start.' },
  'HALO-802': { title: 'ROS interfaces missing', remedy: 'Run npm run setup.' },
  'HALO-803': { title: 'Foxglove port in use', remedy: 'Choose another port with foxglove_port.' },
  'HALO-804': { title: 'No bridge answers', remedy: 'Start the bridge; check ROS_DOMAIN_ID.' },
  'HALO-805': { title: 'Process ended unexpectedly', remedy: 'See its log above.' },
  'HALO-806': {
    title: 'Node name is taken',
    remedy: 'End the other bridge, or give this one a namespace of its own.',
  },
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof CODES;
