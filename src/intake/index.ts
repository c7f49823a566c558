/** The door of the intake room: what an agent wrote, read strictly or refused with reasons. */
export { parseResponse, type ParsedResponse } from './parse-response.js';
export { RESPONSE_BYTES_MAX, utf8Text } from './response-text.js';
