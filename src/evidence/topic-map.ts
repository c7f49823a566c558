/** The operator's evidence map. */
import { z } from 'zod';
import { fail, type EvidenceDatum, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';

export const topicEntrySchema = z.strictObject({
  topic: z.string(),
  type: z.string(),
  field: z.string(),
  evidence: z.string(),
  convert: z.string().default('identity'),
  maxAgeMs: z.number().positive().max(60_000),
  publishers: z.number().int().positive().max(16).default(1),
  qos: z.enum(['sensor', 'reliable']).default('sensor'),
});
export type TopicEntry = z.infer<typeof topicEntrySchema>;
export interface TopicMap {
  readonly entries: readonly TopicEntry[];
}
export interface Extracted {
  readonly value: EvidenceDatum;
  /** The message's own stamp on the ROS clock, not ours. */
  readonly rosStampUs?: number;
}
export function loadTopicMap(path: string): Result<TopicMap> {
  return fail(haloError('HALO-707', 'not there yet', path));
}
export function parseTopicMap(_text: string, fileName: string): Result<TopicMap> {
  return fail(haloError('HALO-707', 'not there yet', fileName));
}
export function extract(_entry: TopicEntry, _message: unknown): Result<Extracted> {
  return fail(haloError('HALO-707', 'not there yet'));
}
