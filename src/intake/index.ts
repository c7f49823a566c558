/** The door of the intake room: what an agent wrote, read strictly or refused with reasons. */
export { parseResponse, type ParsedResponse } from './parse-response.js';
export { RESPONSE_BYTES_MAX } from './response-text.js';
